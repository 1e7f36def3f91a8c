-- remaining: how many members of the campaign are still open, for a forecast: cheaply, not exactly.
-- Params: 1 campaign text, 2 batch int (members)
-- Result: remaining (a batch that is not done counts as a whole one; the retry pool is counted by its index)
-- Locks:  none. Twice: the same.
select (select count(*) from campaign_batches where campaign_id = $1::text and state <> 'done') * $2::int
         + (select count(*) from campaign_targets
             where campaign_id = $1 and state = 'pending' and not_before is not null) as remaining
