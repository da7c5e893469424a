-- A delivery belongs to the owner under whom it was made: a new owner of the bot does not read it.
-- Who owned a bot earlier is not known: those who own it now could read its deliveries until now.
alter table bot_delivery
  add column owner_id bigint,
  -- The verdict with what the endpoint said, for the owner; null: the same as for others.
  add column owner_verdict text;
alter table bot_delivery_attempt add column owner_verdict text;

update bot_delivery d set owner_id = u.bot_owner_id
  from realm_user u where u.realm_id = d.realm_id and u.id = d.bot_id;

update bot_delivery set owner_verdict = verdict,
    verdict = regexp_replace(verdict, ' to .*(: redirects are refused)', '\1')
  where error_code = 'redirect';
update bot_delivery_attempt set owner_verdict = verdict,
    verdict = regexp_replace(verdict, ' to .*(: redirects are refused)', '\1')
  where error_code = 'redirect';
-- A number that an endpoint answered.
update bot_delivery set verdict = regexp_replace(verdict, 'JSON -?[0-9].*, not', 'a JSON number, not')
  where error_code = 'not_object';
update bot_delivery_attempt set verdict = regexp_replace(verdict, 'JSON -?[0-9].*, not', 'a JSON number, not')
  where error_code = 'not_object';
