-- The plain table that every sender may rely on, before any migration.
create table campaign_targets (
  campaign_id  text        not null,
  member_id    bigint      not null,
  email        text        not null,
  sent_at      timestamptz,
  opted_out_at timestamptz,
  primary key (campaign_id, member_id)
)
