-- read_back_retries: what a retry claim whose answer was lost took, if it took anything.
-- Params: 1 campaign text, 2 token uuid
-- Result: as claim_retries (wake_us null).
-- Locks:  none. Twice: the same. Reads the pool by its index: the token has none, or record would not be HOT.
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us, null::bigint as wake_us, false as halted,
       t.member_id, t.email, t.attempts, t.expired_claims,
       (extract(epoch from t.maybe_sent_since) * 1000000)::bigint as since_us
  from (select) one
  left join campaign_targets t
    on t.campaign_id = $1::text and t.not_before is not null and t.retry_token = $2::uuid and t.state = 'pending'
       and t.opted_out_at is null
 order by t.member_id
