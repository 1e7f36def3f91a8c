#include "harness/subject.h"

#include <cctype>

#include "harness/processes/command_line.h"
#include "harness/processes/process.h"

namespace harness {

std::string Subject::file_name() const {
  std::string safe;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
    safe += plain ? c : '_';
  }
  return safe.substr(0, 60);
}

std::expected<Subject, std::string> subject_named(const std::string& sender) {
  Subject subject{.kind = Subject::Kind::other, .name = sender, .argv = {}};
  if (sender == "reference" || sender == "naive") {
    const bool reference = sender == "reference";
    subject.kind = reference ? Subject::Kind::reference : Subject::Kind::naive;
    subject.argv = {(program_folder() / (reference ? "campaign_sender" : "naive_sender")).string()};
  } else {
    auto words = split_command(sender);
    if (!words) return std::unexpected(words.error());
    subject.argv = std::move(*words);
  }
  if (auto program = find_program(subject.argv[0]); !program)
    return std::unexpected("sender " + sender + ": " + program.error());
  return subject;
}

}  // namespace harness
