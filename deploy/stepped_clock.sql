-- For test databases whose sessions are stepped: campaign_clock() is what the session was last told, in microseconds since
-- 1970. It stands still while a statement waits for a lock, as now() does in production; test_clock.sql, which moves the
-- server's own time ahead, is for processes that run freely.
create or replace function campaign_clock() returns timestamptz language sql stable as
  'select timestamptz ''epoch'' + current_setting(''campaign_clock.us'')::bigint * interval ''1 microsecond''';
