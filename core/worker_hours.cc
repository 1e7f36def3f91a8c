// When requests may start, and what becomes of those who are left when the last date is over.
#include <algorithm>

#include "core/number_text.h"
#include "core/worker.h"

namespace core {

// An answer tells a time between its question and itself: what must not happen before a database
// time waits for the later of the two, what must not happen after it has the earlier.
void Worker::hear_time(Instant asked, DbTime time) {
  database_clock_.heard(now_, time);
  if (!hours_.limited()) return;
  if (hours_.opens != DbTime::min()) opens_at_ = database_clock_.local(hours_.opens);
  if (hours_.closes != Hours::never) closes_at_ = asked + (hours_.closes - time);
  if (hours_.not_after != Hours::never) stale_at_ = asked + (hours_.not_after - time);
}

void Worker::keep_hours() {
  if (phase_ != Phase::running) return;
  if (now_ >= stale_at_) {
    stale_ = true;
    drain(ExitCode::done, "");
    look_now();
  } else if (now_ >= closes_at_) {
    drain(ExitCode::done,
          "the window has closed, and opens again at " + utc_text(hours_.opens_again));
  } else if (now_ < opens_at_ && opens_at_ - started_at_ >= policy_.deadline &&
             stale_at_ - started_at_ >= policy_.deadline) {
    drain(ExitCode::done, "the window opens at " + utc_text(hours_.opens) +
                              ", later than DEADLINE_S allows to wait");
  }
}

// When the next of them comes that an idle worker waits for.
std::optional<DbTime> Worker::hours_change() const {
  if (stale_ || !hours_.limited()) return std::nullopt;
  const DbTime next = std::min(now_ < opens_at_ ? hours_.opens : hours_.closes, hours_.not_after);
  if (next == Hours::never) return std::nullopt;
  return next;
}

// Requires: skips(), and nothing is claimed. Batches and retries that nobody has claimed; those of
// others when their leases have ended; and whoever no batch covers, by sweeping and planning.
std::optional<StoreCommand> Worker::next_skip() {
  give_up_at_.reset();  // of recording; from here on DEADLINE_S holds
  if (now_ < looks_[batches].at) return std::nullopt;
  if (none_stale_) return Sweep{plan_version_};
  return SkipStale{};
}

void Worker::on_skipped(const StoreAnswer& answer, const Skipped& skipped) {
  Look& look = looks_[batches];
  if (skipped.halted) drain(ExitCode::work_remains, "the campaign is paused (campaigns.paused)");
  none_stale_ = skipped.taken == 0 && !skipped.wake;
  look.wake = skipped.wake;
  look.at = now_;
  if (!skipped.wake) {
    look.again = look_again_soon;
  } else if (const Instant wake = local(answer, *skipped.wake); wake < now_ + look_again_soon) {
    look_again(look);
  } else {
    look.at = std::min(wake, now_ + policy_.poll_max);
  }
}

std::string Worker::reason() const {
  if (!reason_.empty() || report_.totals.stale == 0) return reason_;
  return grouped(report_.totals.stale) +
         " members were never mailed: the campaign's last date (campaigns.not_after) is over";
}

}  // namespace core
