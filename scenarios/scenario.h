// A scenario as one plain value: what scenarios/*.toml says, with every default and unit in this
// one place. Integers only. The reader (reader.h) refuses unknown keys and values out of range with
// file:line.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
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

// When it may be sent, as campaign_sender's variables say it; empty: at any time, never too late.
struct Campaign {
  std::string window;
  std::string not_after;
  std::optional<core::DbTime> starts;  // campaign_clock() at the first start; there with the others
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
  // activeDeadlineSeconds: over the whole Job, all its pods. Those that run then get SIGTERM, and
  // none is started again. 0: none.
  core::Duration active_deadline{0};
  // podFailurePolicy, action FailJob: exit codes that end the Job at once.
  std::vector<std::int64_t> fail_on = {};
};

// The schedule: so many Jobs, one after the other. What happens between two is that time passes.
struct CronJob {
  std::int64_t starts = 1;
  core::Duration every{0};  // from one start to the next
};

// When: after the provider's `accept`th delivery; when a process of the sender says it has read its
// audience ("read", naive senders only); or as the `nth` statement called `statement`, counted over
// all processes, reaches the database (the reference sender's, statements.h). The deeds of a
// statement's moment are done when it is known what became of it and before its process hears.
enum class Moment { accept, read, statement };

enum class Deed {
  freeze,   // the provider accepts nothing more until the deeds of this moment are done
  kill,     // SIGKILL
  stop,     // SIGSTOP
  proceed,  // SIGCONT, written "continue"
  start,    // one more process, as a CronJob that overlaps would
  opt_out,  // members [first, first + count) opt out, one transaction each, in ascending order
  outage,   // the provider answers 503 to everything for `lasts`
  advance,  // campaign_clock() and the provider's clock move forward by `lasts`
  // What becomes of the statement, at its moment only; without one of these it is done and
  // answered.
  lose,         // it never arrives, and the connection breaks
  lose_answer,  // it is done and committed, and the connection breaks before the answer
  ghost,        // the connection breaks; it is done after this moment's deeds, or at a `land`
  refuse,       // SQLSTATE 40P01, as a deadlock's victim: nothing is done, and the session lives on
  land,         // the ghosts so far are done now, by sessions that are believed dead
};

// As a scenario writes it.
std::string_view deed_name(Deed deed);

struct Event {
  Moment when = Moment::accept;
  std::int64_t accept = 0;
  std::string statement;  // one of kStatements
  std::int64_t nth = 0;
  std::vector<Deed> deeds;  // written "freeze|kill"; done in this order
  // "owner": the process whose request was accepted, or whose statement it is; else "p1", "p2", ...
  std::string who = "owner";
  std::int64_t first = 0;
  std::int64_t count = 0;
  core::Duration lasts{0};
  bool expects_nothing = false;  // written expect = "nothing": it is there to change nothing, as a
                                 // start that the policy forbid drops

  bool does(Deed deed) const { return std::ranges::find(deeds, deed) != deeds.end(); }
  bool freezes() const { return does(Deed::freeze); }
};
// As the file writes it: "accept 6000", "record_batch 31", "read".
std::string text_of_moment(const Event& event);

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
  Campaign campaign;
  fake_mail::Behaviour provider;
  SenderSettings sender;
  Job job;
  CronJob cronjob;
  std::vector<Event> events;
  bool measure_memory = false;  // [measure] memory: the naive sender ends after its read
  bool measure_database =
      false;  // [measure] database: also run the row-claim statements over the audience
  std::map<std::string, std::vector<Expectation>> expect;  // by one of kSendersWithExpectations
  std::vector<std::string> settings;  // the --set arguments laid over the file, as given

  // [[choice]]: the scenario once for each, with some of its values changed; each is a whole
  // scenario without choices of its own. Empty: there is nothing to choose.
  std::vector<Scenario> choices;
  std::string choice;  // what this one is called; empty: none of several

  // Nights take virtual time, and so does what ends them.
  bool only_in_the_simulator() const {
    return cronjob.starts > 1 || job.active_deadline > core::Duration(0) ||
           std::ranges::any_of(choices, &Scenario::only_in_the_simulator);
  }
  bool has_event_at(Moment moment) const {
    return std::ranges::find(events, moment, &Event::when) != events.end();
  }
  bool has_event_that(Deed deed) const {
    return std::ranges::any_of(events, [=](const Event& event) { return event.does(deed); });
  }
};

// What is run: its choices, or itself.
inline std::vector<const Scenario*> variants_of(const Scenario& scenario) {
  std::vector<const Scenario*> out;
  for (const Scenario& choice : scenario.choices) out.push_back(&choice);
  if (out.empty()) out.push_back(&scenario);
  return out;
}

// Whom a run tests that names nobody. The naive sender has none of the statements that an event can
// wait for: with it, such an event tests nothing.
inline std::vector<std::string> usual_senders(const Scenario& scenario) {
  if (scenario.has_event_at(Moment::statement)) return {"reference"};
  return {"reference", "naive"};
}

// [expect.any] is for every sender that has no expectations of its own.
inline constexpr std::array<std::string_view, 3> kSendersWithExpectations = {"reference", "naive",
                                                                             "any"};

}  // namespace scenarios
