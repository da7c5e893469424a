-- A realm is an organization. Every other table holds rows of realms: realm_id leads each of their
-- keys, so that no row can refer to a row of another realm and tables can be distributed by realm.
-- packages/server/src/realm-keys.test.ts checks this and names the exceptions.
create table realm (
  id bigint generated always as identity primary key,
  -- The first label of the realm's host name; empty for the default realm.
  subdomain text not null unique,
  name text not null,
  description text not null default '',
  -- Identifies the realm at the bouncer. The secret proves that this server owns it.
  uuid uuid not null unique default gen_random_uuid(),
  uuid_owner_secret text not null,
  is_active boolean not null default true,
  -- Days until a new user is a full member.
  waiting_period_days integer not null default 0,
  -- Clients know of everybody who became a full member by time up to this moment.
  full_members_at timestamptz not null default now(),
  settings jsonb not null default '{}',
  group_settings jsonb not null default '{}',
  user_defaults jsonb not null default '{}',
  -- The bouncer's answer: whether the realm may send push notifications, and until when (UNIX seconds).
  push_enabled boolean not null default false,
  push_end_timestamp bigint,
  date_created timestamptz not null default now()
);
