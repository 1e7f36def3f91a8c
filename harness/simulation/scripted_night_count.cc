// From what happened in a simulated night to the numbers of its result, by the counting that runs
// on real parts use.
#include <fmt/format.h>

#include "harness/counting/count.h"
#include "harness/counting/verdict.h"
#include "harness/simulation/scripted_night.h"

namespace harness {
namespace {

// The counting's times are a system clock's; a night begins an hour after 1970.
std::int64_t microseconds(core::Instant at) {
  return (at.time_since_epoch() + core::Duration(std::chrono::hours(1))).count();
}

Truth truth_of(core::RowState state) {
  switch (state) {
    case core::RowState::pending:
      return Truth::open;
    case core::RowState::sent:
      return Truth::sent;
    case core::RowState::failed:
      return Truth::failed;
    case core::RowState::unknown:
      return Truth::unknown;
    case core::RowState::skipped:
      return Truth::skipped;
  }
  return Truth::open;
}

}  // namespace

void ScriptedNight::count() {
  in_.progress.stage(fmt::format("{}: counting", in_.sender));
  Audience audience;
  for (std::int64_t id = 1; id <= in_.members; ++id)
    audience.add({id, std::nullopt, Truth::open}, "");
  audience.seal();
  for (const auto& [member, at] : opt_outs_) audience.opted_out(member, microseconds(at));
  if (world_ != nullptr) {
    for (const sim::MemberRow& row : world_->database().members())
      audience.became(core::number(row.id), truth_of(row.state));
    if (mirror_ != nullptr && !difference_) difference_ = mirror_->compare_rows(world_->database());
    result_.stale_writes = world_->stale_writes();
  }
  Tally tally(audience);
  auto jump = jumps_.begin();
  core::Duration ahead{0};
  std::optional<core::Instant> last_mail;
  for (std::size_t i = 0; i < night_->arrivals().size(); ++i) {
    for (; jump != jumps_.end() && jump->arrivals <= i; ++jump) ahead = jump->ahead;
    const sim::Arrival& arrival = night_->arrivals()[i];
    const std::string recipient = std::to_string(core::number(arrival.member));
    tally.add({.arrival_us = microseconds(arrival.at + ahead),
               .recipient = recipient,
               .status = arrival.status,
               .outcome = arrival.outcome});
    if (arrival.outcome == fake_mail::Outcome::delivered) last_mail = arrival.at + ahead;
  }
  if (in_.scenario.cronjob.starts > 1 && last_mail)
    result_.last_mail = last_mail->time_since_epoch();
  tally.write(result_);
  if (only_memory()) result_.lost = 0;  // it was not given the time: nothing is judged
  const bool whole = result_.ended_early.empty();
  events_.judge(!whole, result_);
  if (whole) judge_tally(tally, !naive(), job_.gave_up(), result_);
  if (whole && !only_memory()) say_who(tally, audience, result_);
  result_.peak_rss_bytes = static_cast<std::int64_t>(night_->peak_held_bytes());
  result_.skipped = elapsed();
  if (hangs_) {
    std::string who;
    for (int actor = 0; actor < started_; ++actor)
      if (night_->alive(actor)) who += fmt::format("{}p{}", who.empty() ? "" : ", ", actor + 1);
    result_.checks.push_back({"every process ends",
                              who + ": stopped, or waiting for an answer for ever",
                              reports::Verdict::failed});
  }
  if (!naive()) {
    const auto& verdict = night_->verdict();
    result_.checks.push_back(
        {"no oracle of the simulator is broken",
         verdict ? fmt::format("{}: {}", sim::text_of(verdict->oracle).name, verdict->what)
                 : "none",
         verdict ? reports::Verdict::failed : reports::Verdict::passed});
  }
  if (mirror_ != nullptr) {
    result_.checks.push_back({"PostgreSQL answers as the model does",
                              difference_.value_or("it does"),
                              difference_ ? reports::Verdict::failed : reports::Verdict::passed});
    note(fmt::format("{} calls were asked of PostgreSQL too", mirror_->steps()));
  }
  if (!naive() && !in_.bug.empty()) {
    note("planted: " + in_.bug);
    if (!night_->verdict() && !hangs_)
      result_.checks.push_back(
          {"the planted bug breaks an oracle", "none is broken", reports::Verdict::inconclusive});
  }
  if (!whole)
    note("ended " + result_.ended_early +
         ": the rows above count up to there, and no expectation is held against them");
  if (job_.gave_up()) note("the Job used up its restarts");
}

}  // namespace harness
