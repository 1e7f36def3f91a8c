#include "sim/database/bystander.h"

#include "sim/database/statements.h"

namespace sim {

void opt_out(Statement& s, core::MemberId member) {
  const MemberRow* row = s.seen().member(member);
  if (row == nullptr || row->opted_out_at) return;
  row = s.lock(member);
  if (row == nullptr || row->opted_out_at) return;
  MemberRow after = *row;
  after.opted_out_at = s.now();
  s.change(*row, after);
}

void withdraw_opt_out(Statement& s, core::MemberId member) {
  const MemberRow* row = s.seen().member(member);
  if (row == nullptr || !row->opted_out_at) return;
  row = s.lock(member);
  if (row == nullptr || !row->opted_out_at) return;
  MemberRow after = *row;
  after.opted_out_at.reset();
  s.change(*row, after);
}

void pause_campaign(Statement& s, bool paused) {
  const CampaignRow* row = s.lock_campaign();
  if (row == nullptr) return;
  CampaignRow after = *row;
  after.paused = paused;
  s.change(after);
}

}  // namespace sim
