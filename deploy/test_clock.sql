-- For test databases only: campaign_clock() becomes the server's time plus what the sequence holds, so that a
-- harness can skip waiting. A sequence because its value is outside of snapshots: a table would be frozen by MVCC.
create sequence if not exists campaign_clock_skipped minvalue -9000000000000000 start 1;
create or replace function campaign_clock() returns timestamptz language sql stable as
  'select now() + ((select last_value - 1 from campaign_clock_skipped) * interval ''1 microsecond'')';
