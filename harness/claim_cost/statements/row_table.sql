-- row_table: campaign_targets as a row-claim sender has it: the claim stands in the member's row.
create table campaign_targets (
  campaign_id text not null, member_id bigint not null, email text not null, sent_at timestamptz,
  opted_out_at timestamptz,
  state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'failed')),
  attempts int not null default 0, not_before timestamptz, lease_until timestamptz, claim_id uuid,
  primary key (campaign_id, member_id)
);
create index ix_targets_work on campaign_targets (campaign_id, member_id) where state in ('pending', 'sending');
