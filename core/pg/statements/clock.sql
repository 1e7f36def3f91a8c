-- clock: the database's time. Params: none. Result: now_us. Locks: none.
select (extract(epoch from campaign_clock()) * 1000000)::bigint as now_us
