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
  registered_at bigint not null,
  expired_at timestamptz,
  quarantined_until timestamptz,
  primary key (realm_uuid, device_id),
  unique (realm_uuid, push_account_id, token_hash),
  check ((token_kind = 'apns') = (ios_app_id is not null)),
  check ((token_kind = 'webpush') = (webpush_keys is not null))
);
create index device_expired on device (expired_at) where expired_at is not null;
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

-- What a push provider has said, for all nodes and across restarts. A missing row: nothing bad.
-- credentials: hash of the provider's configuration; another configuration begins anew.
-- app: the iPhone app; '' for a provider that has one app for each configuration,
-- the push service of a browser.
-- paused_until: no notification is sent until then. pauses: how many followed each other.
-- dead_allowance: how many more devices may be deleted as dead before a notification is accepted.
-- alarm: what the operator has been told.
create table provider_health (
  token_kind text not null check (token_kind in ('apns', 'fcm', 'webpush')),
  credentials bytea not null,
  app text not null,
  paused_until timestamptz,
  pauses integer not null default 0,
  dead_allowance integer not null,
  alarm text check (alarm in ('credentials', 'clock', 'dead_tokens')),
  primary key (token_kind, credentials, app)
);
