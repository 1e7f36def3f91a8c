// Who is put under test: one of ours by name, or anybody's command.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace harness {

struct Subject {
  enum class Kind {
    reference,
    naive,
    other,
  };
  Kind kind = Kind::other;
  std::string name;               // as given
  std::vector<std::string> argv;  // argv[0] exists
  // For file names: "python3 mine.py" is python3_mine.py.
  std::string file_name() const;
};

// Errors: a program that is missing, a command that can't be split.
std::expected<Subject, std::string> subject_named(const std::string& sender);

}  // namespace harness
