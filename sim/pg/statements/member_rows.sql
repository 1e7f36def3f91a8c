-- member_rows: what statements read of members.
-- Params: 1 campaign text. Result: as the columns say. Locks: none. Twice: the same.
select member_id, priority, state, attempts, expired_claims,
       (extract(epoch from opted_out_at) * 1000000)::bigint as opted_out_us,
       (extract(epoch from not_before) * 1000000)::bigint as not_before_us,
       (extract(epoch from maybe_sent_since) * 1000000)::bigint as since_us,
       retry_token,
       (extract(epoch from retry_lease_until) * 1000000)::bigint as retry_lease_us
  from campaign_targets
 where campaign_id = $1::text
 order by member_id
