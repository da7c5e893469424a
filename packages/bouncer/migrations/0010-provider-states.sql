-- One row for each thing that a provider judges: a gateway (credentials: the hash of its configuration in one
-- environment; app '': all its apps) or a sender (the hash over all its environments; app '': phones that
-- name none).
-- paused_until: until then the gateway gets no notifications. alarm: what the operator has to mend.
-- is_proven: a notification was accepted by the sender for this app. deletions: devices deleted and not yet
-- made up for by accepted notifications. is_doubted: devices that it calls dead are kept.
create table provider_state (
  token_kind text not null check (token_kind in ('apns', 'fcm', 'webpush')),
  credentials bytea not null,
  app text not null,
  paused_until timestamptz,
  pauses integer not null default 0,
  reason text,
  alarm text check (alarm in ('credentials', 'clock')),
  is_proven boolean not null default false,
  deletions integer not null default 0,
  is_doubted boolean not null default false,
  primary key (token_kind, credentials, app)
);

lock table provider_health, deletion_guard;
insert into provider_state (token_kind, credentials, app, paused_until, pauses, reason, alarm)
select token_kind, credentials, app, paused_until, pauses, reason, alarm from provider_health;
insert into provider_state (token_kind, credentials, app, is_proven, deletions, is_doubted)
select token_kind, credentials, app, is_proven, deletions, has_alarm from deletion_guard
on conflict (token_kind, credentials, app) do update set
  is_proven = excluded.is_proven,
  deletions = excluded.deletions,
  is_doubted = excluded.is_doubted;
drop table provider_health;
drop table deletion_guard;

-- Nodes of the version before read and write the same rows by their former names.
create view provider_health as
select token_kind, credentials, app, paused_until, pauses, reason, alarm from provider_state;
create view deletion_guard as
select token_kind, credentials, app, is_proven, deletions, is_doubted as has_alarm from provider_state;
