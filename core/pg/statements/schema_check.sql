-- schema_check: does this database have what the other statements need?
-- Params: none
-- Result: server_version_num, has_table (a campaign_targets at all), missing text[] (table.column or function), row_claims
--         (the columns of a row-claim sender are there)
-- Locks:  none. Twice: the same.
with needed (table_name, column_name) as (values
  ('campaign_targets', 'campaign_id'), ('campaign_targets', 'member_id'), ('campaign_targets', 'email'),
  ('campaign_targets', 'sent_at'), ('campaign_targets', 'opted_out_at'), ('campaign_targets', 'priority'),
  ('campaign_targets', 'state'), ('campaign_targets', 'reason'), ('campaign_targets', 'attempts'),
  ('campaign_targets', 'not_before'), ('campaign_targets', 'maybe_sent_since'), ('campaign_targets', 'retry_token'),
  ('campaign_targets', 'retry_lease_until'), ('campaign_targets', 'expired_claims'),
  ('campaigns', 'plan_version'), ('campaigns', 'template'), ('campaigns', 'paused'), ('campaigns', 'cancelled'),
  ('campaigns', 'window_zone'), ('campaigns', 'not_after'), ('campaigns', 'hours_version'),
  ('campaign_batches', 'last_member'), ('campaign_batches', 'token'), ('campaign_batches', 'maybe_sent_since'),
  ('provider_rate', 'interval_us'), ('provider_rate', 'paused_until')
)
select current_setting('server_version_num')::int as server_version_num,
       to_regclass('campaign_targets') is not null as has_table,
       array(select n.table_name || '.' || n.column_name from needed n
              where not exists (select from pg_attribute a
                                 where a.attrelid = to_regclass(n.table_name) and a.attname = n.column_name
                                   and not a.attisdropped)
              order by 1)
         || array(select 'campaign_clock()' where to_regprocedure('campaign_clock()') is null) as missing,
       exists (select from pg_attribute where attrelid = to_regclass('campaign_targets') and attname = 'claim_id'
                and not attisdropped) as row_claims
