#include "harness/counting/verdict.h"

#include <fmt/format.h>

#include "harness/counting/member_list.h"

namespace harness {

void judge_tally(const Tally& tally, bool table_keeps_states, bool work_is_left,
                 reports::SenderResult& result) {
  if (tally.strangers() > 0)
    result.notes.push_back(
        fmt::format("{} requests for nobody in the campaign", tally.strangers()));
  const std::int64_t disagree = table_keeps_states ? tally.failed_disagree(work_is_left) : 0;
  if (disagree == 0) return;
  result.checks.push_back({.claim = "the table and the provider agree on who failed",
                           .seen = fmt::format("{} members differ", disagree),
                           .verdict = reports::Verdict::inconclusive});
  result.notes.push_back(
      fmt::format("{} members are failed in the table and were not turned away by the provider, or "
                  "were refused by it and aren't failed in the table",
                  disagree));
}

void say_who(const Tally& tally, const Audience& audience, reports::SenderResult& result) {
  MemberList doubled, lost, late;
  for (MemberList* list : {&doubled, &lost, &late}) list->shown_at_most = 5;
  for (std::size_t i = 0; i < tally.fates().size(); ++i) {
    const Fate& fate = tally.fates()[i];
    const std::int64_t id = audience.members()[i].id;
    if (fate.deliveries > 1) doubled.add(id, fate.deliveries);
    if (tally.is_lost(i)) lost.add(id, 0);
    if (fate.requests_after_opt_out > 0) late.add(id, fate.requests_after_opt_out);
  }
  if (doubled.count > 0) result.notes.push_back("more than one mail:" + doubled.text());
  if (lost.count > 0) result.notes.push_back("lost:" + lost.text());
  if (late.count > 0) result.notes.push_back("requests after the opt-out:" + late.text());
  if (result.opt_outs_in_grace > 0)
    result.notes.push_back(fmt::format(
        "{} requests within 100 ms of the opt-out are not judged: opt out members further ahead",
        result.opt_outs_in_grace));
}

}  // namespace harness
