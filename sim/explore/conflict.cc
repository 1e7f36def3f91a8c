#include "sim/explore/conflict.h"

namespace sim {
namespace {

struct Touch {
  bool reads_campaign = false;
  bool writes_campaign = false;
  bool rate = false;      // the provider's row
  bool provider = false;  // requests and mails of `subject`
};

Touch touch_of(Command command) {
  switch (command) {
    case Command::plan:
    case Command::claim_batch:
    case Command::claim_retries:
    case Command::record_batch:
    case Command::record_retries:
    case Command::sweep:
    case Command::skip_stale:
    case Command::add_member:
    case Command::pause_campaign:
    case Command::resume_campaign:
      return {.writes_campaign = true};
    case Command::late_statement:  // of any statement
    case Command::commit:
      return {.writes_campaign = true, .rate = true};
    case Command::read_back:
    case Command::recheck:
    case Command::count_totals:
      return {.reads_campaign = true};
    case Command::reserve_slots:
    case Command::pause:
      return {.rate = true};
    case Command::send:
    case Command::late_request:
      return {.provider = true};
    case Command::opt_out:
    case Command::withdraw_opt_out:
      return {.writes_campaign = true, .provider = true};
    case Command::answer:
    case Command::time:
    case Command::kill:
    case Command::freeze:
    case Command::stop:
    case Command::start:
    case Command::outage:
    case Command::clock_jump:
    case Command::database_crash:
      return {};
  }
  return {};
}

}  // namespace

bool in_conflict(const Move& first, const Move& second) {
  if (first.actor == second.actor) return false;
  const Touch a = touch_of(first.command);
  const Touch b = touch_of(second.command);
  const bool campaign = (a.writes_campaign && (b.writes_campaign || b.reads_campaign)) ||
                        (b.writes_campaign && a.reads_campaign);
  return campaign || (a.rate && b.rate) ||
         (a.provider && b.provider && first.subject == second.subject);
}

std::optional<Reversal> reversal_in(const std::vector<Move>& moves, std::size_t from) {
  for (std::size_t second = from; second < moves.size(); ++second) {
    for (std::size_t first = second; first-- > 0;) {
      if (in_conflict(moves[first], moves[second]))
        return Reversal{static_cast<std::int64_t>(first), moves[first], moves[second]};
    }
  }
  return std::nullopt;
}

}  // namespace sim
