// The naive sender without its I/O: a nightly batch with its faults. Nothing here is to
// be repaired; it is the baseline that every scenario also runs. The program
// harness/subjects/naive_sender drives it with libpqxx and HTTP, the simulator with virtual time.
//   1. It begins at the head of the list, whoever was mailed before.
//   2. It reads the whole audience into memory.
//   3. A post bears no idempotency key and has no time-out.
//   4. Nothing keeps two of them from sending the same list.
//   5. It says "failed", goes on, and reports success.
//   6. It doesn't look at opt-outs after its read, nor at it.
//   7. Nothing bounds its run, and a network error ends it.
//
// Ownership: a value; copy it to snapshot a world, overwrite it to kill it. Copies share the list,
// which never changes once it is read.
// Threads: none; one caller at a time. Copies may go to different threads.
// Errors: none; a broken contract is an assertion.
// Deliberately absent: an error of the database, which the real program doesn't survive either;
// whoever drives it ends it with 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sim {

struct NaiveMember {
  std::int64_t id = 0;
  std::string email;
};

// ---- asked of the driver: one at a time, each answered before the next ----

struct NaiveRead {};  // all members of the campaign, by id, whoever was mailed or opted out
struct NaivePost {    // without a key, and waiting for ever
  std::int64_t member = 0;
  std::string_view email;  // into the list: valid while the machine or a copy of it lives
};
struct NaiveMark {  // sent_at := now, a transaction of its own
  std::int64_t member = 0;
};
struct NaivePrintFailed {  // a line "failed N"
  std::int64_t member = 0;
};
struct NaiveExit {
  int code = 0;  // 0: at the end of the list; 1: after a network error
};
using NaiveCommand = std::variant<NaiveRead, NaivePost, NaiveMark, NaivePrintFailed, NaiveExit>;

class NaiveMachine {
 public:
  // Requires: the last command was answered, and was not NaiveExit.
  NaiveCommand next();

  // Each requires that the last command was the one it answers.
  void on_audience(std::vector<NaiveMember> members);  // NaiveRead
  void on_status(int http_status);                     // NaivePost
  void on_network_error();                             // NaivePost
  void on_done();                                      // NaiveMark, NaivePrintFailed

  // Returns: what the list occupies, spare room and long addresses included.
  std::size_t held_bytes() const { return held_bytes_; }

 private:
  enum class Phase : std::uint8_t { read, post, mark, print_failed, leave };

  void answered(Phase then);

  std::shared_ptr<const std::vector<NaiveMember>> members_;
  std::size_t held_bytes_ = 0;
  std::size_t at_ = 0;  // in members_: the one that is being mailed
  Phase phase_ = Phase::read;
  bool asked_ = false;  // the command of `phase_` is with the driver
  int exit_code_ = 0;
};

}  // namespace sim
