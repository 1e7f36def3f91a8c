-- resolve: a person's decision about members whose delivery is unknown.
-- delivered: they are sent, as of when it may have happened. send_again: they are due now, as if never tried; whoever
-- decides it has looked, or accepts that a member may get a second mail.
-- Params: 1 campaign text, 2 members bigint[] (empty: all that are unknown), 3 resolution text, 4 decided_by text, 5 note text
-- Result: member_id, one row a member that was resolved: others are not unknown, and stay as they are
-- Locks:  the members, in ascending order. Twice: the second time nobody is unknown.
with chosen as materialized (
  select campaign_id, member_id, maybe_sent_since from campaign_targets
   where campaign_id = $1::text and state = 'unknown'
     and (cardinality($2::bigint[]) = 0 or member_id = any ($2::bigint[]))
   order by member_id for update
), noted as (
  insert into campaign_resolutions (campaign_id, member_id, resolution, decided_by, note, unknown_since)
  select campaign_id, member_id, $3::text, $4::text, nullif($5::text, ''), maybe_sent_since from chosen
), changed as (
  update campaign_targets t
     set state = case when $3::text = 'delivered' then 'sent' else 'pending' end,
         sent_at = case when $3::text = 'delivered' then t.maybe_sent_since end,
         not_before = case when $3::text = 'send_again' then campaign_clock() end,
         reason = null, attempts = 0, expired_claims = 0, maybe_sent_since = null
    from chosen c
   where t.campaign_id = c.campaign_id and t.member_id = c.member_id
  returning t.member_id
)
select member_id from changed order by member_id
