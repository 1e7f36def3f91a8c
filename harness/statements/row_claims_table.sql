-- The row-claim generation's migration of the plain table.
alter table campaign_targets
  add column state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'failed')),
  add column attempts int not null default 0,
  add column not_before timestamptz,
  add column lease_until timestamptz,
  add column claim_id uuid;
update campaign_targets set state = 'sent' where sent_at is not null;
create index ix_targets_work on campaign_targets (campaign_id, member_id) where state in ('pending', 'sending');
analyze campaign_targets
