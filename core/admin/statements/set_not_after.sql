-- set_not_after: from when on nobody of a campaign is mailed any more. Who sends it now ends before its next request,
-- within the age of a recheck, and is started again with this.
-- Params: 1 campaign text, 2 not_after_us text ('': never)
-- Result: was_us (null: never); no row: the campaign has not begun
-- Locks:  the campaign's row. Twice: the same; what changes nothing ends nobody.
with before as (
  select campaign_id, not_after from campaigns where campaign_id = $1::text for update
), wanted as (
  select timestamptz 'epoch' + nullif($2::text, '')::bigint * interval '1 microsecond' as not_after
), changed as (
  update campaigns c set not_after = w.not_after, hours_version = hours_version + 1
    from before b, wanted w where c.campaign_id = b.campaign_id and b.not_after is distinct from w.not_after
)
select (extract(epoch from not_after) * 1000000)::bigint as was_us from before
