-- recheck: who of these must not be sent (any more), and whether sending is paused or halted.
-- A member is held back when it has opted out, or is not this worker's to send: its state or its pool changed while the
-- claim was being made (the claim reads members by a snapshot that is older than its lock on the batch; from the
-- claim's commit on the token fences everybody else, so this later look is final).
-- Params: 1 campaign text, 2 members bigint[], 3 provider text, 4 retry tokens uuid[] (of this worker), 5 hours_version int
--         (that this worker keeps to)
-- Result: now_us, paused_until_us (0: not paused), halted (paused, or its hours are others now), held_back bigint[]
-- Locks:  none. Twice: the same, fresher. What it says was true when it began: the caller counts from before that.
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us,
       coalesce((select (extract(epoch from paused_until) * 1000000)::bigint from provider_rate
                  where provider = $3::text and paused_until > campaign_clock()), 0) as paused_until_us,
       coalesce((select paused or hours_version <> $5::int from campaigns where campaign_id = $1::text), false) as halted,
       array(select member_id from campaign_targets
              where campaign_id = $1 and member_id = any ($2::bigint[])
                and (opted_out_at is not null or state <> 'pending'
                     or (not_before is not null
                         and not coalesce(retry_token = any ($4::uuid[]), false)))) as held_back
