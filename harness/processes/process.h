// A program that runs beside the harness: a sender, the provider.
//
// Ownership: a Process owns its program; destroying it kills (SIGKILL) and reaps it.
// Threads: one inner thread calls on_line and on_end, never two at once; every method may be called
// from any
//   thread. Start a program from a thread that outlives it: the kernel's "die with your parent" is
//   tied to the thread that forked (launcher.c).
// Errors: start() changes nothing when it refuses.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness {

struct Ended {
  int exit_code = 0;                // 128 + n after signal n
  std::int64_t peak_rss_bytes = 0;  // of the program, or of the largest child it waited for
};

struct ProcessSpec {
  std::vector<std::string> argv = {};  // argv[0]: a path, or a name looked up in PATH
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to the harness's own
  std::filesystem::path stderr_file = {};                             // written from its start
  std::function<void(std::string_view line)> on_line =
      {};                                         // each line of stdout, without its newline
  std::function<void(const Ended&)> on_end = {};  // once, after the last line
};

class Process {
 public:
  static std::expected<std::unique_ptr<Process>, std::string> start(ProcessSpec spec);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int pid() const;
  // To the program and everything it started. Returns false when it has ended already. Never
  // reaches another process that got the same pid.
  bool signal(int number);
  std::optional<Ended> ended() const;
  // Blocks until it ended or the time is over.
  std::optional<Ended> wait(std::chrono::milliseconds at_most);
  // VmHWM: the most memory it held so far; 0 when it has ended.
  std::int64_t peak_rss_so_far() const;
  // The last lines of its stderr, at most 2 KiB, in one line; for messages.
  std::string last_words() const;

 private:
  struct Inner;
  explicit Process(std::unique_ptr<Inner> inner);
  std::unique_ptr<Inner> inner_;
};

// The folder of our programs (launcher, fake_mail, campaign_sender, naive_sender), found from this
// program's own path.
std::filesystem::path program_folder();

// Returns the path that starting `program` would run; an error says what is missing.
std::expected<std::filesystem::path, std::string> find_program(const std::string& program);

// The peak RSS that a program is given which does nothing at all: the least that can be reported.
std::expected<std::int64_t, std::string> peak_rss_floor();

}  // namespace harness
