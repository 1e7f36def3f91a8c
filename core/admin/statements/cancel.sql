-- cancel: nobody of the campaign is sent any more, for good. Members keep their state: who was sent stays sent.
-- Params: 1 campaign text
-- Result: was_cancelled; no row: the campaign has not begun
-- Locks:  the campaign's row. Twice: the same.
with before as (
  select campaign_id, cancelled from campaigns where campaign_id = $1::text for update
), changed as (
  update campaigns c set paused = true, cancelled = true from before b where c.campaign_id = b.campaign_id
)
select cancelled as was_cancelled from before
