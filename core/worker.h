// The sender, as a machine without I/O. It is told events and asks for commands; production drives
// it with threads, libpqxx and HTTP, the simulator with virtual time. It reads no clock, opens
// nothing, throws nothing.
//
//   worker.on(now, event);
//   while (auto command = worker.next()) ...   // until empty, after every event
//
// Ownership: a plain value; copy it to snapshot a world, overwrite it to kill it.
// Threads:   none; one caller at a time.
// Time:      `now` is the driver's monotonic clock and never goes back; database times arrive in
// answers.
// Promises, each watched by an oracle of the simulator:
//   - at most policy.batch members are started and not yet recorded (S15);
//   - no request starts later than recheck_max_age after the opt-out check that allowed it began
//     (S2), nor after stop_sending of its claim (S3), nor while the provider is paused, nor outside
//     a reserved slot when there is a rate (S13);
//   - no request starts before Hours::opens, nor at or after its closes or not_after (S19): the
//     database's times are put on this process's clock so that it never starts one too many;
//   - at most one store command is outstanding, and a lost claim is read back before anything else
//   is claimed;
//   - after a record was refused as stale nothing more of that claim is sent or recorded (S3, S4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/claim.h"
#include "core/clock_reading.h"
#include "core/commands.h"
#include "core/digest.h"
#include "core/policy.h"
#include "core/rng.h"
#include "core/weather.h"

namespace core {

class Worker {
 public:
  // Requires: policy.problems() is empty. seed: of tokens and jitter; another one for each process.
  Worker(const Policy& policy, std::uint64_t seed, int plan_version);

  // Held at once (S11).
  static constexpr std::size_t claims_most = 3;

  void on(Instant now, const Event& event);
  std::optional<Command> next();

  std::int64_t started_unrecorded() const { return started_unrecorded_; }
  std::int64_t in_flight() const { return in_flight_; }
  std::int64_t holding() const;
  const Report& report() const { return report_; }
  // Memory that it has asked for: itself and what its containers have room for.
  std::size_t held_bytes() const;
  const std::vector<Claim>& claims() const { return claims_; }

  // All that decides what it will do next: not its counters, its seed, or the names of lanes.
  void describe(Digest& digest) const;

 private:
  enum class Phase : std::uint8_t { idle, planning, running, draining, counting, leaving, exited };
  static constexpr Duration look_again_soon{50'000};
  enum Kind : std::uint8_t { batches, retries, suspects, kinds };
  static constexpr int bad_to_doubt_anybody = 2;  // in a row: is anybody accepted at all

  struct Lane {
    bool busy = false;
    std::uint32_t claim = 0;
    std::size_t index = 0;
  };
  enum class Outlook : std::uint8_t {  // will more be learnt about the weather
    nothing,
    maybe,    // if work turns up
    answers,  // requests are under way, or can be
  };
  struct Place {  // of a member in a claim
    std::uint32_t claim = 0;
    std::size_t index = 0;
  };
  struct Look {  // for work of one kind
    Instant at{};
    Duration again = look_again_soon;  // after this, if somebody else has it in his hands
    std::optional<DbTime> wake;
    bool none = false;  // there is none of this kind, due or not
  };

  // worker_events.cc: what an event changes
  void on_send_finished(const SendFinished& finished);
  void on_store_answer(const StoreAnswer& answer);
  void on_claimed(const StoreAnswer& answer, const Claimed& claimed);
  void on_nothing_claimed(const StoreAnswer& answer, const Claimed& claimed);
  void on_slots(const StoreAnswer& answer, const SlotsReserved& slots);
  void on_rechecked(const StoreAnswer& answer, const Rechecked& rechecked);
  void on_recorded(const Recorded& recorded);
  void on_swept(const Swept& swept);
  void on_totals(const Totals& totals);
  void on_skipped(const StoreAnswer& answer, const Skipped& skipped);
  void on_not_done(const StoreAnswer& answer);
  void drain(ExitCode at_least, std::string reason);
  void look_now();
  void look_again(Look& look) const;
  void pause_until(Instant until);
  void hear_time(Instant asked, DbTime time);
  Instant local(const StoreAnswer& answer, DbTime time) const;

  // worker_decide.cc: what held answers mean
  void decide();
  void decide_endpoint(Claim& claim, std::size_t index);
  bool any_sent() const { return sent_answers_ > 0; }
  bool sent_since(const ClaimMember& member) const { return sent_answers_ > member.sent_before; }
  void decide_bad(Claim& claim, std::size_t index, bool weather, Outlook outlook);
  void doubt_weather(const ClaimMember& probed);
  Outlook outlook() const;
  bool nothing_to_learn(const ClaimMember& member, Outlook outlook) const;
  bool tells_weather(const ClaimMember& member) const {
    return !trouble_is_theirs_ || member.member.attempts == 0;
  }
  void judge(Claim& claim, std::size_t index, Fate fate);
  void give_back(Claim& claim, std::size_t index);

  // worker_hours.cc: when requests may start, and what becomes of those who are left
  void keep_hours();
  bool skips() const { return stale_ && phase_ == Phase::draining && reason_.empty(); }
  std::optional<StoreCommand> next_skip();
  std::optional<DbTime> hours_change() const;
  std::string reason() const;

  // worker_next.cc: what to do next
  void expire();
  bool pausing() const;
  bool sending_allowed() const;
  std::optional<Send> next_send();
  std::optional<StoreCommand> next_store_command();
  std::optional<StoreCommand> next_to_send();
  std::optional<StoreCommand> next_slots() const;
  std::optional<StoreCommand> next_recheck();
  bool may_claim() const;
  std::optional<StoreCommand> next_look();
  std::optional<StoreCommand> next_record(bool urgent_only);
  bool record_is_due(const Claim& claim, bool urgent_only) const;
  StoreCommand record_of(Claim& claim);
  std::int64_t unstarted() const;
  std::int64_t startable() const;
  std::int64_t wanted_checked() const;
  std::int64_t slots_within(Duration ahead) const;
  Wait next_wait() const;
  ExitCode exit_code() const;
  void erase_ended_claims();

  Policy policy_;
  Rng rng_;
  std::uint64_t jitter_seed_;
  Phase phase_ = Phase::idle;
  Instant now_{};
  Instant started_at_{};

  std::vector<Claim> claims_;  // the one being sent, the next, and one whose end is awaited
  std::uint32_t next_serial_ = 1;
  std::vector<Lane> lanes_;
  std::int64_t in_flight_ = 0;
  std::int64_t started_unrecorded_ = 0;
  Instant last_start_{};
  Instant starts_window_{};  // starts are counted in windows of recheck_ahead
  std::int64_t starts_in_window_ = 0;
  std::int64_t starts_before_ = 0;  // in the window before

  Hours hours_;
  // The same on this process's clock: opens_at_ not before the true moment, the others not after.
  Instant opens_at_ = Instant::min();
  Instant closes_at_ = Instant::max();
  Instant stale_at_ = Instant::max();
  bool stale_ = false;       // not_after is over
  bool none_stale_ = false;  // and nobody is left whom it concerns, save those added late

  bool store_busy_ = false;
  StoreCommand outstanding_{};
  Instant outstanding_since_{};        // when it was first asked
  Instant asked_at_{};                 // and last
  bool repeat_ = false;                // outstanding_ must be asked again
  bool was_in_doubt_ = false;          // outstanding_ may have been done already
  Instant ask_again_at_{};             // nothing is asked before this
  std::optional<Instant> away_since_;  // the store has answered nothing since

  // Whom the last Recheck asked about, in its order. The same member may stand in two claims: after
  // a lease was outlived, and its batch taken again.
  std::vector<Place> rechecking_;

  Look looks_[kinds];
  bool rate_limited_ = false;
  Duration slot_interval_{0};  // as last reserved
  ClockReading database_clock_;
  std::vector<Instant> slots_;  // a handful, earliest first
  Instant paused_until_{};
  std::optional<DbTime> paused_until_db_;
  std::optional<Duration> want_pause_;

  Weather weather_;
  Duration weather_pause_{};
  bool probing_ = false;  // after weather: one request at a time until one is sent
  // Probes in a row that failed about members who had failed before, while others were sent.
  int probes_of_known_ = 0;
  bool trouble_is_theirs_ = false;     // such members say nothing about the weather any more
  std::uint32_t sent_answers_ = 0;     // of this process
  std::int64_t endpoint_answers_ = 0;  // since then
  // In a row, up to enough of them to doubt that anybody is accepted. One from the start: nobody
  // has been yet.
  int bad_in_a_row_ = 1;

  int plan_version_ = 0;
  ExitCode at_least_ = ExitCode::done;
  std::string reason_;
  std::optional<Instant> give_up_at_;  // draining: leave then even if records are not done
  Report report_;
  bool wait_said_ = false;
};

}  // namespace core
