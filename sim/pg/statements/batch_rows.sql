-- batch_rows: the batches of a campaign.
-- Params: 1 campaign text. Result: as the columns say. Locks: none. Twice: the same.
select batch_id, priority, first_member, last_member, state, token,
       (extract(epoch from lease_until) * 1000000)::bigint as lease_us,
       expired_claims,
       (extract(epoch from maybe_sent_since) * 1000000)::bigint as since_us
  from campaign_batches
 where campaign_id = $1::text
 order by batch_id
