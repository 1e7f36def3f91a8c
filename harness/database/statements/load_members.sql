-- $1 campaign, $2 number of members. Loaded in the order of members, as a real load is: at random it is twice as
-- dear to send.
insert into campaign_targets (campaign_id, member_id, email)
select $1::text, n, 'member' || n || '@example.org'
from generate_series(1, $2::bigint) as n
