// Our own statements, each without one of its parts.
//
// campaign.cc has those that only a campaign shows that changes while it is sent. Left out are the
// parts that nobody misses in these worlds. Some need a member that kills every worker, which there
// isn't (*.set_expired_claims, suspects). Others cost only time or caution, or a later check makes
// up for them (all of plan and sweep but those here, record_batch.doubt, keep_doubt and
// rest_written, recheck.pending and in_pool).
#include <array>

#include "sim/bugs/families.h"
#include "sim/bugs/needs.h"

namespace sim::bugs {
namespace {

using core::operator""s;

void two_fail_at_first(WorldSettings& world) {
  world.members = 2;
  world.provider.rules.push_back({503, 1, 1});
}

// Three are due at once; a claim asks for two.
void three_fail_at_first(WorldSettings& world) {
  world.members = 3;
  world.provider.rules.push_back({503, 1, 1});
}

// One member of a batch is in the retry pool before the others are sent.
void recorded_in_parts(WorldSettings& world) {
  world.members = 8;
  world.policy.batch = 4;
  world.policy.lanes = 1;
  world.provider.rules.push_back({503, 3, 1});
}

void some_are_refused(WorldSettings& world) {
  world.provider.rules.push_back({422, 2, 0});
}

void some_get_no_answer(WorldSettings& world) {
  world.provider.permille_accept_then_silence = 300;
}

// For half a minute; a 429 without Retry-After asks for a second.
void provider_blocks(WorldSettings& world) {
  world.provider.limit_per_s = 2;
  world.provider.block = 30s;
}

void one_by_one(WorldSettings& world) {
  world.policy.batch = world.policy.lanes = 1;
}

constexpr std::array bugs{
    PlantedBug{
        .name = "claim_batch.skip_locked",
        .story = "A claim waits for the transaction of another one instead of going past it.",
        .caught_by = Oracle::S14,
        .only = true,
        .plant = drop<Conjunct::claim_batch_skip_locked, strikes<Fault::held, 1>>},
    PlantedBug{
        .name = "claim_retries.skip_locked",
        .story =
            "A claim of retries waits for the transaction of another one instead of going past it.",
        .caught_by = Oracle::S14,
        .only = true,
        .plant =
            drop<Conjunct::claim_retries_skip_locked, strikes<Fault::held, 1>, some_fail_at_first>},
    PlantedBug{.name = "claim_batch.lease_expired",
               .story = "A batch is claimed while its lease is alive.",
               .caught_by = Oracle::S3,
               .plant = drop<Conjunct::claim_batch_lease_expired>},
    PlantedBug{.name = "claim_retries.lease_expired",
               .story = "A member in the retry pool is claimed while its lease is alive.",
               .caught_by = Oracle::S3,
               .plant = drop<Conjunct::claim_retries_lease_expired, some_fail_at_first>},
    PlantedBug{
        .name = "claim_batch.set_token",
        .story = "A claim leaves the old token in its row, and nothing of it can be recorded.",
        .caught_by = Oracle::liveness,
        .plant = drop<Conjunct::claim_batch_set_token>},
    PlantedBug{.name = "claim_batch.pending",
               .story = "A batch that is claimed again hands over members that have ended.",
               .caught_by = Oracle::S5,
               .only = true,
               .plant = drop<Conjunct::claim_batch_pending, strikes<Fault::kill, 1>>},
    PlantedBug{
        .name = "claim_batch.not_in_pool",
        .story = "A batch that is claimed again hands over members that wait in the retry pool.",
        .caught_by = Oracle::S3,
        .plant =
            drop<Conjunct::claim_batch_not_in_pool, strikes<Fault::stop, 1>, recorded_in_parts>},
    PlantedBug{.name = "claim_batch.opted_out",
               .story = "A claim hands over members that have opted out.",
               .caught_by = Oracle::S2,
               .only = true,
               .plant = drop<Conjunct::claim_batch_opted_out, strikes<Fault::opt_out, 1>>},
    PlantedBug{.name = "claim_batch.first_since",
               .story = "Each claim forgets since when its members may have been sent, and keys "
                        "are used beyond their window.",
               .caught_by = Oracle::S16,
               .plant = drop<Conjunct::claim_batch_first_since, short_window,
                             strikes<Fault::kill, 3>, strikes<Fault::freeze, 1>>},
    PlantedBug{.name = "claim_retries.not_before",
               .story = "A member is tried again before its backoff is over.",
               .caught_by = Oracle::S6,
               .plant = drop<Conjunct::claim_retries_not_before, some_fail_at_first>},
    PlantedBug{.name = "claim_retries.opted_out",
               .story = "A claim of retries hands over members that have opted out.",
               .caught_by = Oracle::S2,
               .plant = drop<Conjunct::claim_retries_opted_out, strikes<Fault::opt_out, 1>,
                             some_fail_at_first>},
    PlantedBug{.name = "claim_retries.limit",
               .story = "A claim of retries hands over more members than were asked for.",
               .caught_by = Oracle::S8,
               .only = true,
               .plant = drop<Conjunct::claim_retries_limit, three_fail_at_first>},
    PlantedBug{
        .name = "claim_retries.first_since",
        .story = "Each claim of a retry forgets since when it may have been sent, and its key is "
                 "used beyond its window.",
        .caught_by = Oracle::S16,
        .plant = drop<Conjunct::claim_retries_first_since, short_window, strikes<Fault::kill, 3>,
                      strikes<Fault::freeze, 1>, some_get_no_answer>},
    PlantedBug{
        .name = "read_back_batch.token",
        .story = "A claim whose answer was lost is read back as the first live claim there is.",
        .caught_by = Oracle::S3,
        .plant = drop<Conjunct::read_back_batch_token, strikes<Fault::statement, 2>>},
    PlantedBug{.name = "read_back_batch.pending",
               .story = "A claim that is read back hands over members that have ended.",
               .caught_by = Oracle::S5,
               .plant = drop<Conjunct::read_back_batch_pending, strikes<Fault::statement, 2>,
                             strikes<Fault::late, 2>, strikes<Fault::kill, 2>>},
    PlantedBug{
        .name = "read_back_retries.token",
        .story = "A claim of retries whose answer was lost is read back as everybody's retries.",
        .caught_by = Oracle::S3,
        .plant = drop<Conjunct::read_back_retries_token, strikes<Fault::statement, 2>,
                      some_fail_at_first>},
    PlantedBug{.name = "read_back_batch.opted_out",
               .story = "A claim that is read back hands over members that have opted out.",
               .caught_by = Oracle::S2,
               .plant = drop<Conjunct::read_back_batch_opted_out, strikes<Fault::statement, 1>,
                             strikes<Fault::opt_out, 1>>},
    PlantedBug{.name = "recheck.opted_out",
               .story = "The check before a request doesn't look at opt-outs.",
               .caught_by = Oracle::S2,
               .plant = drop<Conjunct::recheck_opted_out, strikes<Fault::opt_out, 1>>},
    PlantedBug{
        .name = "recheck.own_token",
        .story = "The check before a request takes the worker's own retries for somebody else's.",
        .caught_by = Oracle::liveness,
        .plant = drop<Conjunct::recheck_own_token, some_fail_at_first>},
    PlantedBug{.name = "record_batch.token",
               .story = "A worker records with the token of a claim that somebody has taken over.",
               .caught_by = Oracle::S4,
               .plant = drop<Conjunct::record_batch_token, strikes<Fault::freeze, 1>>},
    PlantedBug{.name = "record_batch.lock",
               .story = "A record doesn't lock its batch, and somebody takes the claim over before "
                        "it is committed.",
               .caught_by = Oracle::S4,
               .plant = drop<Conjunct::record_batch_lock, strikes<Fault::held, 1>,
                             strikes<Fault::clock_jump, 1>>},
    PlantedBug{.name = "record_batch.leased",
               .story = "A record is made once more after its claim has ended.",
               .caught_by = Oracle::S4,
               .only = true,
               .plant = drop<Conjunct::record_batch_leased, strikes<Fault::statement, 2>>},
    PlantedBug{.name = "record_batch.fenced",
               .story = "A refused record writes its members all the same.",
               .caught_by = Oracle::S4,
               .plant = drop<Conjunct::record_batch_fenced, strikes<Fault::freeze, 1>>},
    PlantedBug{.name = "record_batch.sent_pending",
               .story = "A record that is repeated writes members that have ended.",
               .caught_by = Oracle::S5,
               .only = true,
               .plant = drop<Conjunct::record_batch_sent_pending, strikes<Fault::statement, 2>>},
    PlantedBug{.name = "record_batch.other_pending",
               .story = "A record that is repeated writes failures again.",
               .caught_by = Oracle::S5,
               .plant = drop<Conjunct::record_batch_other_pending, strikes<Fault::statement, 2>,
                             some_are_refused>},
    PlantedBug{.name = "record_batch.rest_pending",
               .story = "A batch whose members have all ended is put up again.",
               .caught_by = Oracle::liveness,
               .plant = drop<Conjunct::record_batch_rest_pending>},
    PlantedBug{.name = "record_batch.rest_opted_out",
               .story = "A batch whose members have ended or opted out is put up again.",
               .caught_by = Oracle::liveness,
               .plant = drop<Conjunct::record_batch_rest_opted_out, strikes<Fault::opt_out, 1>>},
    PlantedBug{.name = "record_batch.rest_not_in_pool",
               .story = "A batch whose rest waits in the retry pool is put up again.",
               .caught_by = Oracle::liveness,
               .plant = drop<Conjunct::record_batch_rest_not_in_pool, recorded_in_parts>},
    PlantedBug{.name = "record_batch.ends",
               .story = "Every record ends its claim, while the worker is still sending.",
               .caught_by = Oracle::S3,
               .plant = drop<Conjunct::record_batch_ends>},
    PlantedBug{
        .name = "record_retries.token",
        .story = "A worker records a retry that somebody has taken over.",
        .caught_by = Oracle::S4,
        .plant =
            drop<Conjunct::record_retries_token, strikes<Fault::freeze, 1>, two_fail_at_first>},
    PlantedBug{.name = "record_retries.clear_token",
               .story = "A recorded retry keeps its token and can't be claimed again.",
               .caught_by = Oracle::liveness,
               .plant = drop<Conjunct::record_retries_clear_token, some_fail_at_first>},
    PlantedBug{.name = "pause.longest",
               .story = "A short pause cuts a longer one short for everybody.",
               .caught_by = Oracle::S13,
               .plant = drop<Conjunct::pause_longest, provider_blocks, strikes<Fault::refusal, 1>>},
    PlantedBug{.name = "plan.turn",
               .story = "Two workers plan at once, and members lie in two batches.",
               .caught_by = Oracle::S3,
               .plant = drop<Conjunct::plan_turn>},
    PlantedBug{.name = "sweep.pending",
               .story = "The sweep takes members that have ended for left over.",
               .caught_by = Oracle::liveness,
               .plant = drop<Conjunct::sweep_pending>},
    PlantedBug{.name = "sweep.opted_out",
               .story = "The sweep takes members that have opted out for left over.",
               .caught_by = Oracle::liveness,
               .plant = drop<Conjunct::sweep_opted_out, strikes<Fault::opt_out, 1>, one_by_one>},
};

}  // namespace

std::span<const PlantedBug> statements() {
  return bugs;
}

}  // namespace sim::bugs
