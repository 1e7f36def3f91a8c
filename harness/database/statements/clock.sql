-- Returns the campaign's time in microseconds since 1970.
select (extract(epoch from campaign_clock()) * 1000000)::bigint
