-- pause_campaign: nothing more is claimed, or it is again.
-- Params: 1 campaign text, 2 paused bool
-- Locks:  the campaign's row, waited for. Twice: the same.
update campaigns set paused = $2::bool where campaign_id = $1::text
