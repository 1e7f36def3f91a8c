-- add_member: one more, after the last.
-- Params: 1 campaign text, 2 priority int
-- Locks:  none that lasts. Twice: adds another.
insert into campaign_targets (campaign_id, member_id, email, priority)
select $1::text, max(member_id) + 1, 'late@example.org', $2::int from campaign_targets where campaign_id = $1::text
