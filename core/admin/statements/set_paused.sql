-- set_paused: stops or goes on with a campaign; its workers see it before their next request, within the age of a recheck.
-- Params: 1 campaign text, 2 paused bool
-- Result: was_paused, cancelled (and then nothing is changed); no row: the campaign has not begun
-- Locks:  the campaign's row. Twice: the same.
with before as (
  select campaign_id, paused, cancelled from campaigns where campaign_id = $1::text for update
), changed as (
  update campaigns c set paused = $2::bool from before b where c.campaign_id = b.campaign_id and not b.cancelled
)
select paused as was_paused, cancelled from before
