-- row_migration: the row-claim generation's columns and index: the claim stands in the member's row.
create function campaign_clock() returns timestamptz language sql stable parallel safe as 'select now()';
alter table campaign_targets
  add column state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'failed')),
  add column attempts int not null default 0,
  add column not_before timestamptz,
  add column lease_until timestamptz,
  add column claim_id uuid;
update campaign_targets set state = 'sent' where sent_at is not null;
create index ix_targets_work on campaign_targets (campaign_id, member_id) where state in ('pending', 'sending')
