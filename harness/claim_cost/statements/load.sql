-- load: an audience of $1 members, sorted as a loader would.
insert into campaign_targets (campaign_id, member_id, email)
select 'cost', n, 'member' || n || '@example.org' from generate_series(1, $1::bigint) n
