-- A distributor of PostgreSQL (Citus) refuses ON DELETE SET NULL where the key has the realm, also for other
-- columns of it (https://github.com/citusdata/citus/issues/7132). Channels are archived, never deleted by
-- themselves; with their realm the bots go too.
alter table bot_profile
  drop constraint bot_profile_realm_id_default_sending_channel_id_fkey,
  drop constraint bot_profile_realm_id_default_events_register_channel_id_fkey,
  add foreign key (realm_id, default_sending_channel_id) references channel,
  add foreign key (realm_id, default_events_register_channel_id) references channel;
