-- production_clock: campaign_clock() as it is in production.
create or replace function campaign_clock() returns timestamptz language sql stable parallel safe as 'select now()'
