// The statements of core/pg/statements, and those of bystanders in sim/pg/statements: one function
// each, of the same name.
//
// Where one locks several rows it does so in the order of the lists it is given, and else in
// ascending order of member, as an index scan would.
#pragma once

#include "sim/database/bystander.h"
#include "sim/database/statement.h"

namespace sim {

core::Planned plan(Statement& s, const core::Plan& plan);
core::Claimed claim_batch(Statement& s, const core::ClaimBatch& claim);
core::Claimed claim_retries(Statement& s, const core::ClaimRetries& claim);
core::Claimed read_back_batch(Statement& s, const core::Token& token);
core::Claimed read_back_retries(Statement& s, const core::Token& token);
core::SlotsReserved reserve_slots(Statement& s, std::int64_t slots);
core::Rechecked recheck(Statement& s, const core::Recheck& recheck);
core::Recorded record_batch(Statement& s, const core::RecordBatch& record);
core::Recorded record_retries(Statement& s, const core::RecordRetries& record);
core::Paused pause(Statement& s, core::Duration length);
core::Swept sweep(Statement& s, const core::Sweep& sweep);
core::Totals totals(Statement& s);
core::Skipped skip_stale(Statement& s);

void opt_out(Statement& s, core::MemberId member);
void withdraw_opt_out(Statement& s, core::MemberId member);
void suppress(Statement& s, core::MemberId member);
void retry_now(Statement& s, core::MemberId member);
void pause_campaign(Statement& s, bool paused);
void add_member(Statement& s, int priority);

}  // namespace sim
