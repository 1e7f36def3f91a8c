-- $1 microseconds to move the campaign's time forward. A sequence, because every session sees its new value at once; a
-- row would be frozen in the snapshots of running statements.
select setval('campaign_clock_skipped', last_value + $1::bigint)
from campaign_clock_skipped
