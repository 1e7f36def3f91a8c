-- What people decide about a campaign: cancelling it, and what became of members whose delivery is unknown.
--
-- psql -v ON_ERROR_STOP=1 -f 002_administration.sql, after 001, also while a campaign is being sent. Safe to run again.
set lock_timeout = '2s';

-- A cancelled campaign is paused as well, and stays so: claims need to look at one column only.
alter table campaigns add column if not exists cancelled boolean not null default false;

do $$
begin
  if not exists (select from pg_constraint where conrelid = 'campaigns'::regclass and conname = 'campaigns_ck_cancelled') then
    alter table campaigns add constraint campaigns_ck_cancelled check (paused or not cancelled);
  end if;
end $$;

-- The only way out of the state unknown; one row a decision, kept.
create table if not exists campaign_resolutions (
  campaign_id text not null references campaigns,
  member_id bigint not null,
  resolution text not null check (resolution in ('delivered', 'send_again')),
  decided_by text not null check (decided_by <> ''),
  note text,
  unknown_since timestamptz not null,
  decided_at timestamptz not null default campaign_clock(),
  primary key (campaign_id, member_id, decided_at)
);
