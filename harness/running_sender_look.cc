#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "harness/counting/clock_skip.h"
#include "harness/running_sender.h"

namespace harness {
namespace {

constexpr std::chrono::milliseconds count_every{200};
// Longer than any time-out, back-off step or budget of a sender that is alive.
constexpr std::chrono::seconds nothing_happens_at_most{300};

}  // namespace

void RunningSender::enforce_memory_limit() {
  const std::int64_t limit = in_.scenario.job.memory_limit_bytes;
  if (limit == 0) return;
  for (LiveProcess* process : pods_.all_alive()) {
    if (process->process->peak_rss_so_far() <= limit) continue;
    if (process->process->signal(SIGKILL))
      note(fmt::format("{} was killed: above its memory limit of {} MiB", process->owner,
                       limit / (1024 * 1024)));
  }
}

RunningSender::Step RunningSender::skip_waiting() {
  Idleness seen;
  for (const LiveProcess* process : pods_.all_alive())
    seen.workers.push_back(
        {.waiting = process->last.kind == SenderLine::Kind::waiting && !process->frozen,
         .until_us = process->last.until_us,
         .holding = process->last.holding});
  // The dear questions only when the cheap ones leave a chance.
  if (!std::ranges::all_of(seen.workers, &Idleness::Worker::waiting)) return {};
  const auto counters = provider_->counters();
  if (!counters) return as_error(counters);
  seen.open_requests = counters->open_requests;
  const auto busy = database_->busy_sessions();
  if (!busy) return as_error(busy);
  seen.busy_sessions = *busy;
  const auto clock_us = database_->clock_us();
  if (!clock_us) return as_error(clock_us);
  seen.clock_us = *clock_us;
  const auto skip = skip_of(seen);
  if (!skip) return {};
  if (auto done = provider_->advance(*skip); !done) return as_error(done);
  if (auto done = database_->skip(*skip); !done) return as_error(done);
  result_.skipped += *skip;
  return {};
}

RunningSender::Step RunningSender::give_up_on_a_hang(const fake_mail::Counters& counters) {
  if (counters.requests != last_requests_ || counters.accepted != last_accepted_)
    last_sign_of_life_ = Clock::now();
  if (Clock::now() - last_sign_of_life_ < nothing_happens_at_most) return {};
  std::string who;
  for (const LiveProcess* process : pods_.all_alive()) {
    if (process->last.kind == SenderLine::Kind::waiting && !process->frozen) {
      const auto clock_us = database_->clock_us();
      if (clock_us && process->last.until_us > *clock_us)
        return {};  // it said how long it will wait
    }
    who += fmt::format("{}{} (pid {}{}) {}", who.empty() ? "" : ", ", process->owner,
                       process->process->pid(), process->frozen ? ", stopped by the scenario" : "",
                       process->process->last_words());
  }
  return std::unexpected(
      RunError{fmt::format("{} hangs: no mail and no line for {} s: {}", in_.subject.name,
                           nothing_happens_at_most.count(), who)});
}

RunningSender::Step RunningSender::look() {
  enforce_memory_limit();
  if (skips())
    if (auto done = skip_waiting(); !done) return done;
  const auto now = Clock::now();
  if (now - last_count_ < count_every) return {};
  const auto counters = provider_->counters();
  if (!counters) return as_error(counters);
  if (const auto alive = database_->busy_sessions(); !alive)
    return std::unexpected(RunError{"PostgreSQL is gone: " + alive.error()});
  if (auto done = give_up_on_a_hang(*counters); !done) return done;
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(now - last_count_);
  in_.progress.count(in_.subject.name, counters->accepted, in_.members,
                     (counters->accepted - last_accepted_) * 1000 / elapsed.count());
  last_accepted_ = counters->accepted;
  last_requests_ = counters->requests;
  last_count_ = now;
  return {};
}

}  // namespace harness
