// The language between the worker and whoever drives it: what the worker asks for (Command) and
// what it is told (Event). All are plain values without payload: addresses and texts stay with the
// driver.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/answer.h"
#include "core/digest.h"
#include "core/ids.h"
#include "core/time.h"

namespace core {

// ---- asked of the store: one statement each, at most one outstanding ----

struct Plan {
  int plan_version = 0;
};
struct ClaimBatch {
  Token token;
};
struct ClaimRetries {
  Token token;
  std::int64_t limit = 0;
  bool suspects = false;
};
struct ReadBack {  // after a claim whose answer was lost
  Token token;
  bool retries = false;
};
struct ReserveSlots {
  std::int64_t count = 0;
};
struct Recheck {
  std::vector<MemberId> members;
  std::vector<Token> retry_tokens;
};

enum class RowState : std::uint8_t { pending, sent, failed, unknown, skipped };

// What becomes of a started member that was not simply sent. pending: to be tried again.
struct Outcome {
  MemberId member{};
  RowState state = RowState::pending;
  std::string reason;
  int attempts = 0;  // the new count
  std::optional<Duration>
      delay;           // pending: due after this; nothing: due as before (released unsent)
  bool doubt = false;  // it may have been sent
  int expired_claims = 0;
};

struct RecordBatch {
  BatchId batch{};
  Token token;
  std::vector<MemberId> sent;
  std::vector<Outcome> others;
  bool ends = false;  // nobody of the claim is started and unrecorded after this: the claim ends
  bool keep_doubt = false;  // those released unsent may have been sent by an earlier claim
};
struct RecordRetries {
  Token token;
  std::vector<MemberId> sent;
  std::vector<Outcome> others;
};
struct Pause {  // everybody who sends to this provider
  Duration length{0};
};
struct Sweep {
  int plan_version = 0;
};
struct CountTotals {};
struct SkipStale {  // some of those whom nobody has claimed, once the last date is over
  // What one statement takes: some milliseconds' work.
  static constexpr int batches_most = 10;
  static constexpr int retries_most = 1'000;
};

using StoreCommand = std::variant<Plan, ClaimBatch, ClaimRetries, ReadBack, ReserveSlots, Recheck,
                                  RecordBatch, RecordRetries, Pause, Sweep, CountTotals, SkipStale>;

void describe(Digest& digest, const StoreCommand& command);

// ---- asked of the driver ----

struct Send {
  std::int64_t lane = 0;
  MemberId member{};
  // The lane must not start it at or after this: the opt-out check would be too old, the slot
  // missed, the lease too near its end. A process that was stopped between decision and request
  // would break all three.
  Instant latest_start{};
};

struct Wait {
  Instant until;                   // by this process's clock, at the latest
  std::optional<DbTime> db_until;  // idle: nothing to do before this, unless others add work
  std::int64_t holding = 0;        // members claimed by this worker
};

enum class ExitCode : std::uint8_t { done = 0, work_remains = 1, look = 2, refused = 3 };

struct Totals {
  std::int64_t total = 0, sent = 0, failed = 0, unknown = 0, skipped = 0, opted_out = 0,
               remaining = 0;
  std::int64_t stale = 0;  // of those skipped: for want of time
};

struct Report {
  std::int64_t batches = 0;       // claims made
  std::int64_t sent = 0;          // recorded as sent by this process
  std::int64_t stale_writes = 0;  // outcomes refused by the fence
  Totals totals;                  // of the campaign
};

struct Exit {
  ExitCode code = ExitCode::done;
  std::string reason;
  Report report;
};

using Command = std::variant<StoreCommand, Send, Wait, Exit>;

// ---- told to the worker ----

enum class StoreStatus : std::uint8_t {
  answered,
  not_done,  // nothing was changed: away, deadlock, statement time-out; ask again
  in_doubt,  // the connection broke before the answer: done or not
  refused,   // it will never work: schema, permission
};

struct ClaimedMember {
  MemberId id{};
  int attempts = 0;
  int expired_claims = 0;  // of the member (retries) or of its batch
  DbTime since{};          // may have been sent since; = the answer's db_now when it was not
  bool sendable = true;    // false: its address can't be mailed (address.h)
};

struct Planned {
  bool mine = false;
  int plan_version = 0;
};
struct Claimed {  // of ClaimBatch, ClaimRetries and ReadBack
  bool found = false;
  BatchId batch{};
  std::optional<DbTime>
      wake;  // nothing found: look again then; nothing: there is none of this kind
  bool halted = false;
  std::vector<ClaimedMember> members;
  int expired_claims = 0;  // of the batch
  DbTime since{};          // of the batch
};
struct SlotsReserved {
  std::int64_t count = 0;  // 0: paused
  DbTime first{};
  Duration interval{0};
  std::optional<DbTime> paused_until;
};
struct Rechecked {
  std::vector<MemberId> held_back;
  std::optional<DbTime> paused_until;
  bool halted = false;
};
enum class RecordVerdict : std::uint8_t { recorded, already, stale };
struct Recorded {
  RecordVerdict verdict = RecordVerdict::recorded;
  std::int64_t changed = 0;
};
struct Paused {
  DbTime until{};
};
struct Swept {
  bool mine = false;
  int plan_version = 0;
  std::int64_t loose = 0;
  std::int64_t moved = 0;
};

struct Skipped {
  std::int64_t taken = 0;      // batches and members of the retry pool: ask again
  std::int64_t members = 0;    // never to be mailed now
  std::optional<DbTime> wake;  // nothing taken: look again then; nothing: nobody is left
  bool halted = false;
};

struct StoreAnswer {
  StoreStatus status = StoreStatus::answered;
  DbTime db_now{};
  std::variant<std::monostate, Planned, Claimed, SlotsReserved, Rechecked, Recorded, Paused, Swept,
               Totals, Skipped>
      result;
  std::string error;
};

// When requests may start, by the database's clock.
struct Hours {
  static constexpr DbTime never = DbTime::max();
  DbTime opens = DbTime::min();  // not before
  DbTime closes = never;         // not at or after
  DbTime opens_again = never;    // for whoever is told why it has ended
  DbTime not_after = never;      // nor at or after: from then on whoever is left is stale
  bool limited() const { return opens != DbTime::min() || closes != never || not_after != never; }
};

struct Started {
  Hours hours;
};
struct Tick {};
struct Due {  // the database's clock has reached the last Wait's db_until
  DbTime db_now{};
};
struct SendFinished {
  std::int64_t lane = 0;
  SendAnswer answer;
  bool started = true;  // false: the lane came too late (Send::latest_start), and it is as if it
                        // had not been asked
};
struct Stop {};  // SIGTERM: start nothing more, record, release, leave

using Event = std::variant<Started, Tick, Due, StoreAnswer, SendFinished, Stop>;

}  // namespace core
