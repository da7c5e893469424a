-- The unit of isolation is the realm, identified by a UUID that no two realms share: realm_uuid leads
-- every key of a realm's table. The chat server is no part of these keys, because a realm may move to
-- another server. packages/bouncer/src/realm-keys.test.ts checks this and names the exceptions.

-- Chat servers. key_hash is a plain SHA-256: keys are 64 random characters. After a rotation, the former
-- key is valid until former_key_until. quotas: those that the operator has changed; null: unlimited.
create table remote_server (
  server_uuid uuid primary key,
  key_hash bytea not null,
  former_key_hash bytea,
  former_key_until timestamptz,
  hostname text not null,
  contact_email text not null,
  deactivated boolean not null default false,
  version text,
  last_realm_count_id bigint not null default 0,
  last_installation_count_id bigint not null default 0,
  last_realmauditlog_id bigint not null default 0,
  last_feedback_number bigint not null default 0,
  quotas jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create unique index remote_server_hostname on remote_server (lower(hostname)) where not deactivated;

-- Secrets that a host name must serve, to prove that whoever asks for its registration owns it.
create table host_challenge (
  secret_hash bytea primary key,
  hostname text not null,
  expires_at timestamptz not null
);

-- Realms, as their chat server announced them. The bouncer's operator sets can_push.
create table remote_realm (
  realm_uuid uuid primary key,
  server_uuid uuid not null references remote_server,
  owner_secret_hash bytea not null,
  realm_id bigint not null,
  host text not null,
  url text not null,
  name text not null,
  deactivated boolean not null default false,
  can_push boolean not null default true,
  created_at timestamptz not null default now()
);
create index remote_realm_server on remote_realm (server_uuid);

-- bouncer_public_key: what the latest registration was encrypted with. registered_at: when the phone made its registration, UNIX milliseconds. expired_at: when the
-- provider reported the token as dead; the row stays for 30 days, so that the token is not tried again.
-- environment: the one of the provider that accepted the token. quarantined_until: no notification is
-- sent until then. quarantined_since: the first of the quarantines that followed each other.
-- is_doubted: the provider calls the token dead and is not believed; notifications wait.
create table device (
  realm_uuid uuid not null references remote_realm,
  device_id bigint generated always as identity,
  push_account_id bigint not null,
  token_hash bytea not null,
  token text not null,
  token_kind text not null check (token_kind in ('apns', 'fcm', 'webpush')),
  ios_app_id text,
  bouncer_public_key text not null,
  -- The keys of a browser's subscription.
  webpush_keys jsonb,
  android_app_id text,
  environment text check (environment in ('production', 'sandbox')),
  registered_at bigint not null,
  expired_at timestamptz,
  quarantined_until timestamptz,
  quarantined_since timestamptz,
  is_doubted boolean not null default false,
  primary key (realm_uuid, device_id),
  unique (realm_uuid, push_account_id, token_hash),
  check ((token_kind = 'apns') = (ios_app_id is not null)),
  check ((token_kind = 'webpush') = (webpush_keys is not null))
);
create index device_expired on device (expired_at) where expired_at is not null;
-- For the share of an app's devices that may be deleted, and to end the doubts about an app.
create index device_app on device (
    token_kind,
    coalesce(ios_app_id, android_app_id, substring(token from '^https://([^/?#]+)'), '')
  )
  where expired_at is null;
create index device_token on device (realm_uuid, token_hash);

-- Sealed registrations that were used, by their SHA-256, and by which account: nobody else who has seen
-- one may register with it. Deleted when the registration has expired.
create table used_registration (
  registration_hash bytea primary key,
  -- SHA-256 of the realm and its push_account_id.
  account_hash bytea not null,
  used_at timestamptz not null
);
create index used_registration_used on used_registration (used_at);

-- What a push provider has said about a sender, for all nodes and across restarts. A missing row:
-- nothing bad.
-- credentials: hash of the sender's configuration for one environment of the provider; another
-- configuration begins anew.
-- app: the app of the phone, or the push service of a browser; '' for all of the sender.
-- paused_until: no notification is sent until then. pauses: how many followed each other.
-- reason: of the latest pause. alarm: what the operator has been told.
create table provider_health (
  token_kind text not null check (token_kind in ('apns', 'fcm', 'webpush')),
  credentials bytea not null,
  app text not null,
  paused_until timestamptz,
  pauses integer not null default 0,
  reason text,
  alarm text check (alarm in ('credentials', 'clock')),
  primary key (token_kind, credentials, app)
);

-- Whether a provider is believed that a device is dead. A missing row: not yet.
-- credentials: hash of the sender's configuration for all environments. app: '' if phones name none.
-- is_proven: a notification was accepted with these credentials for this app.
-- deletions: devices deleted and not yet made up for by accepted notifications.
-- has_alarm: the operator has been told that devices are kept against the provider's word.
create table deletion_guard (
  token_kind text not null check (token_kind in ('apns', 'fcm', 'webpush')),
  credentials bytea not null,
  app text not null,
  is_proven boolean not null default false,
  deletions integer not null default 0,
  has_alarm boolean not null default false,
  primary key (token_kind, credentials, app)
);
