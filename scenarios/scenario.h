// A scenario as one plain value: what scenarios/*.toml says, with every default and unit in this
// one place. Integers only. The reader (reader.h) refuses unknown keys and values out of range with
// file:line.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "fake_mail/behaviour.h"

namespace scenarios {

struct Audience {
  std::vector<std::int64_t> members = {
      10'000};  // more than one: the scenario runs once for each size
};

struct SenderSettings {
  std::int64_t processes = 1;  // started together
  std::int64_t lanes = 100;
  std::int64_t rate_per_s = 0;  // the sender's own pacing; 0: none
  std::int64_t batch = 200;
  std::map<std::string, std::string> env;  // passed on as written
};

enum class JobPolicy { allow, forbid };

struct Job {
  JobPolicy policy = JobPolicy::forbid;
  std::int64_t backoff_limit = 2;  // restarts after a non-zero exit or a lost pod
  std::int64_t memory_limit_bytes =
      0;  // 0: none; a process above it is killed as the kernel would (137)
};

// When: after the provider's `accept`th delivery, or when a process of the sender says it has read
// its audience ("read", naive senders only).
enum class Moment { accept, read };

enum class Deed {
  freeze,   // the provider accepts nothing more until the deeds of this moment are done
  kill,     // SIGKILL
  stop,     // SIGSTOP
  proceed,  // SIGCONT, written "continue"
  start,    // one more process, as a CronJob that overlaps would
  opt_out,  // members [first, first + count) opt out, one transaction each, in ascending order
  outage,   // the provider answers 503 to everything for `lasts`
  advance,  // campaign_clock() and the provider's clock move forward by `lasts`
};

// As a scenario writes it.
std::string_view deed_name(Deed deed);

struct Event {
  Moment when = Moment::accept;
  std::int64_t accept = 0;
  std::vector<Deed> deeds;  // written "freeze|kill"; done in this order
  std::string who =
      "owner";  // "owner": the process whose request was accepted; else "p1", "p2", ...
  std::int64_t first = 0;
  std::int64_t count = 0;
  core::Duration lasts{0};
  bool expects_nothing = false;  // written expect = "nothing": it is there to change nothing, as a
                                 // start that the policy forbid drops

  bool freezes() const { return std::ranges::find(deeds, Deed::freeze) != deeds.end(); }
};

enum class Relation { equal, at_most, at_least };

// One line of [expect.SENDER]: `duplicates = 0`, `repeats = "<= 200"`, `exit_codes = [137, 0]`.
struct Expectation {
  std::string field;
  Relation relation = Relation::equal;
  std::vector<std::int64_t> values;  // one, or the list for exit_codes
  int line = 0;                      // in the file; 0: given by --set
};

// Connections that the provider must be able to keep: every process one a lane, and so may its
// replacement before the provider sees the first go; a second worker may be started.
inline std::int64_t connections_at_most(const SenderSettings& sender) {
  return 2 * sender.lanes * std::max<std::int64_t>(sender.processes, 2) + 16;
}

struct Scenario {
  std::string name;   // = file name without .toml
  std::string title;  // one line for `harness list`
  std::string file;   // for messages
  std::uint64_t seed = 1;
  bool seed_is_another = false;  // than the file's: --seed
  Audience audience;
  fake_mail::Behaviour provider;
  SenderSettings sender;
  Job job;
  std::vector<Event> events;
  bool measure_memory = false;  // [measure] memory: the naive sender ends after its read
  bool measure_database =
      false;  // [measure] database: also run the row-claim statements over the audience
  std::map<std::string, std::vector<Expectation>> expect;  // by one of kSendersWithExpectations
  std::vector<std::string> settings;  // the --set arguments laid over the file, as given
};

// [expect.any] is for every sender that has no expectations of its own.
inline constexpr std::array<std::string_view, 3> kSendersWithExpectations = {"reference", "naive",
                                                                             "any"};

}  // namespace scenarios
