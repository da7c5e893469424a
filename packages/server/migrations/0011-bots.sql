-- The endpoint of an outgoing webhook bot.
create table bot_service (
  realm_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  name text not null,
  base_url text not null,
  -- 1 generic, 2 Slack-compatible.
  interface smallint not null default 1,
  token_mac bytea not null,
  token_sealed bytea not null,
  -- After a token rotation: the old token, and the time until which deliveries carry it.
  old_token_sealed bytea,
  old_token_until timestamptz,
  failing_since timestamptz,
  failures_in_a_row integer not null default 0,
  disabled_at timestamptz,
  -- While disabled: the time of the next attempt.
  probe_after timestamptz,
  primary key (realm_id, id),
  unique (realm_id, token_mac),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index bot_service_user on bot_service (realm_id, user_id);

-- Settings that only bots have.
create table bot_profile (
  realm_id bigint not null,
  user_id bigint not null,
  default_sending_channel_id bigint,
  default_events_register_channel_id bigint,
  default_all_public_streams boolean not null default false,
  config_data jsonb not null default '{}',
  -- The last warning to the owner that a message reached nobody, in UNIX seconds.
  owner_warned_at bigint,
  primary key (realm_id, user_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade,
  foreign key (realm_id, default_sending_channel_id) references channel
    on delete set null (default_sending_channel_id),
  foreign key (realm_id, default_events_register_channel_id) references channel
    on delete set null (default_events_register_channel_id)
);
