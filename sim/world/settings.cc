#include "sim/world/settings.h"

#include <algorithm>

#include "core/assert.h"

namespace sim {
namespace {

constexpr std::array<std::string_view, fault_count> names{
    "kill",          "freeze",         "stop",       "start",
    "statement",     "held",           "request",    "refusal",
    "slow",          "late",           "opt_out",    "outage",
    "clock_jump",    "database_crash", "add_member", "withdraw_opt_out",
    "pause_campaign"};

}  // namespace

std::string_view text_of(Fault fault) {
  return names.at(static_cast<std::size_t>(fault));
}

bool is_fault(Command command, Choice choice) {
  if (choice != Choice::done) return choice != Choice::little;
  return command >= Command::late_request && command != Command::commit;
}

Fault fault_of(Command command, Choice choice) {
  switch (choice) {
    case Choice::lost:
    case Choice::lost_done:
    case Choice::undone:
    case Choice::ghost:
      return Fault::statement;
    case Choice::held:
      return Fault::held;
    case Choice::slow:
      return Fault::slow;
    case Choice::never:
    case Choice::silent:
    case Choice::reset:
    case Choice::unconnected:
      return Fault::request;
    case Choice::unavailable:
    case Choice::accepted_503:
    case Choice::throttled:
      return Fault::refusal;
    case Choice::brief:
    case Choice::past_lease:
      return Fault::freeze;
    case Choice::done:
    case Choice::little:
      break;
  }
  static constexpr std::array<std::pair<Command, Fault>, 13> of_commands{{
      {Command::late_request, Fault::late},
      {Command::late_statement, Fault::late},
      {Command::kill, Fault::kill},
      {Command::stop, Fault::stop},
      {Command::start, Fault::start},
      {Command::opt_out, Fault::opt_out},
      {Command::outage, Fault::outage},
      {Command::clock_jump, Fault::clock_jump},
      {Command::database_crash, Fault::database_crash},
      {Command::add_member, Fault::add_member},
      {Command::withdraw_opt_out, Fault::withdraw_opt_out},
      {Command::pause_campaign, Fault::pause_campaign},
      {Command::resume_campaign, Fault::pause_campaign},
  }};
  for (const auto& [known, fault] : of_commands) {
    if (known == command) return fault;
  }
  ASSERT(false && "not a fault");
}

core::Hours WorldSettings::hours(core::Duration since) const {
  core::Hours hours;
  if (not_after > core::Duration(0)) hours.not_after = world_begins + not_after;
  if (window_closes <= window_opens) return hours;
  const core::Duration every = std::max(window_every, window_closes);
  core::Duration night{0};
  if (since >= window_closes) night = ((since - window_closes) / every + 1) * every;
  if (since < night + window_opens) hours.opens = world_begins + night + window_opens;
  hours.closes = world_begins + night + window_closes;
  hours.opens_again = world_begins + night + every + window_opens;
  return hours;
}

}  // namespace sim
