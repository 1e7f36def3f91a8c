-- When a campaign may be sent: a window of each night by the clock of a named zone, and a last moment after which
-- nobody is mailed any more.
--
-- psql -v ON_ERROR_STOP=1 -f 003_time.sql, after 002, also while a campaign is being sent. Safe to run again.
set lock_timeout = '2s';

-- hours_version moves with every change of them: senders that run with others end, and are started again with these.
alter table campaigns
  add column if not exists window_open time,
  add column if not exists window_close time,
  add column if not exists window_zone text,
  add column if not exists not_after timestamptz,
  add column if not exists hours_version int not null default 0;

do $$
begin
  if not exists (select from pg_constraint where conrelid = 'campaigns'::regclass and conname = 'campaigns_ck_window') then
    alter table campaigns add constraint campaigns_ck_window check (
      num_nulls(window_open, window_close, window_zone) = 3
      or (num_nulls(window_open, window_close, window_zone) = 0 and window_open <> window_close));
  end if;
end $$;
