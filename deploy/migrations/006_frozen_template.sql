-- What a mail says is frozen with its idempotency key: a provider that remembers a key refuses another payload under it, and
-- one that has forgotten it sends a second mail.
--
-- psql -v ON_ERROR_STOP=1 -f 006_frozen_template.sql, after the others, also while a campaign is being sent. Safe to run again.
set lock_timeout = '2s';

create or replace function campaigns_freeze_template() returns trigger language plpgsql as $$
begin
  if new.template is distinct from old.template and old.plan_version > 0 then
    raise exception 'campaign % is planned: it keeps its template %; start another campaign', old.campaign_id, old.template;
  end if;
  return new;
end $$;
create or replace trigger campaigns_freeze_template after update of template on campaigns
  for each row execute function campaigns_freeze_template();

-- A member whose delivery is unknown may be sent again under his key.
create or replace function campaign_targets_freeze_email() returns trigger language plpgsql as $$
begin
  if new.email is distinct from old.email and old.state in ('pending', 'unknown')
     and exists (select from campaigns where campaign_id = old.campaign_id and plan_version > 0) then
    raise exception 'campaign % is planned: member % keeps its address until it is sent or failed',
      old.campaign_id, old.member_id;
  end if;
  return new;
end $$;
