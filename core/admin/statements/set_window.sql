-- set_window: between which times of day a campaign is sent. Who sends it now ends before its next request, within the
-- age of a recheck, and is started again with these hours.
-- Params: 1 campaign text, 2 window text ("22:00-06:00 Asia/Tokyo"; '': at any time)
-- Result: was (as above); no row: the campaign has not begun
-- Locks:  the campaign's row. Twice: the same; what changes nothing ends nobody.
with before as (
  select campaign_id,
         coalesce(to_char(window_open, 'HH24:MI-') || to_char(window_close, 'HH24:MI ') || window_zone, '') as was
    from campaigns where campaign_id = $1::text for update
), changed as (
  update campaigns c
     set window_open = nullif(substr($2::text, 1, 5), '')::time, window_close = nullif(substr($2, 7, 5), '')::time,
         window_zone = nullif(substr($2, 13), ''), hours_version = hours_version + 1
    from before b where c.campaign_id = b.campaign_id and b.was <> $2
)
select was from before
