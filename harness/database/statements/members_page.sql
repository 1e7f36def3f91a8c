-- $1 campaign, $2 the last member of the page before. Returns member_id, email, opted_out_at in microseconds since 1970
-- or null, and state ('' in a table that keeps none), in the order of members.
--
-- For any of the tables there are: a name that campaign_targets lacks is looked up one level further out, in
-- `absent`.
select
  t.member_id,
  t.email,
  (select (extract(epoch from opted_out_at) * 1000000)::bigint from (select t.*) as own),
  (select state from (select t.*) as own)
from
  campaign_targets as t
  cross join (select null::timestamptz as opted_out_at, ''::text as state) as absent
where t.campaign_id = $1::text and t.member_id > $2::bigint
order by t.member_id
limit 100000
