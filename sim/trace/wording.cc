#include "sim/trace/wording.h"

#include <array>
#include <string_view>

namespace sim {
namespace {

// "%" stands for what it is about.
constexpr std::array<std::string_view, command_count> sentences{
    "plans the batches",
    "claims a batch",
    "claims members due for a retry",
    "reads back what its claim got",
    "reserves slots of the rate limit",
    "checks opt-outs and the pause",
    "records what came of %",
    "records what came of its retries",
    "asks for a pause of all workers",
    "sweeps up members outside batches",
    "counts how the campaign stands",
    "skips who is left after the last date",
    "asks the provider to mail %",
    "hears the answer about %",
    "time passes",
    "a dead process's request for % lands",
    "a dead session's statement lands",
    "commits its open transaction",
    "is killed (SIGKILL)",
    "is frozen (SIGSTOP)",
    "is told to stop (SIGTERM)",
    "one more worker is started",
    "% opts out",
    "the provider answers 503 to all",
    "the database's clock jumps ahead",
    "the database loses its last commit",
    "a member is added to the campaign",
    "% withdraws the opt-out",
    "a person pauses the campaign",
    "a person lets the campaign go on"};

std::string_view manner(Choice choice) {
  switch (choice) {
    case Choice::done:
      return "";
    case Choice::lost:
      return "; it is lost on its way";
    case Choice::lost_done:
      return "; the answer is lost";
    case Choice::undone:
      return "; refused for now";
    case Choice::ghost:
      return "; it lands later";
    case Choice::held:
      return "; it is not committed yet";
    case Choice::slow:
      return "; slow";
    case Choice::never:
      return "; it never arrives";
    case Choice::silent:
      return "; no answer ever";
    case Choice::reset:
      return "; connection reset";
    case Choice::unconnected:
      return "; no connection";
    case Choice::unavailable:
    case Choice::accepted_503:
      return "; 503";
    case Choice::throttled:
      return "; 429";
    case Choice::brief:
      return " for a moment";
    case Choice::past_lease:
      return " beyond its lease";
    case Choice::little:
      return ", not up to the next event";
  }
  return "";
}

std::string subject(const Move& move) {
  if (move.command == Command::record_batch) return name_of(core::BatchId(move.subject));
  return name_of(core::MemberId(move.subject));
}

}  // namespace

std::string actor_name(int actor) {
  return actor == environment ? "-" : "w" + std::to_string(actor + 1);
}
std::string name_of(core::MemberId member) {
  return "m" + std::to_string(core::number(member));
}
std::string name_of(core::BatchId batch) {
  return "b" + std::to_string(core::number(batch));
}

std::string seconds(core::Duration time) {
  const std::int64_t us = time.count();
  std::string digits = std::to_string(us % 1'000'000);
  digits.insert(0, 6 - digits.size(), '0');
  digits.erase(digits.find_last_not_of('0') + 1);
  return std::to_string(us / 1'000'000) + (digits.empty() ? "" : "." + digits);
}

std::string wording(const Move& move) {
  std::string text{sentences.at(static_cast<std::size_t>(move.command))};
  if (const std::size_t gap = text.find('%'); gap != std::string::npos)
    text.replace(gap, 1, subject(move));
  return text + std::string(manner(move.choice));
}

}  // namespace sim
