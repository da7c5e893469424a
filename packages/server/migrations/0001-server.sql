-- The chat server core. Every table carries its realm, and every query names it.

create table realm (
  id bigint generated always as identity primary key,
  subdomain text not null unique,
  name text not null,
  description text not null default '',
  uuid uuid not null unique default gen_random_uuid(),
  uuid_owner_secret text not null,
  is_active boolean not null default true,
  waiting_period_days integer not null default 0,
  settings jsonb not null default '{}',
  group_settings jsonb not null default '{}',
  user_defaults jsonb not null default '{}',
  push_enabled boolean not null default false,
  push_end_timestamp bigint,
  date_created timestamptz not null default now()
);

-- Apart from the realm: locked by every change, and last in its transaction.
create table event_counter (
  realm_id bigint primary key references realm on delete cascade,
  last_seq bigint not null default 0
) with (fillfactor = 50);

create table realm_user (
  id bigint generated always as identity primary key,
  realm_id bigint not null references realm on delete cascade,
  delivery_email text not null,
  full_name text not null,
  role smallint not null default 400,
  is_active boolean not null default true,
  is_bot boolean not null default false,
  bot_type smallint,
  bot_owner_id bigint references realm_user,
  is_system_bot boolean not null default false,
  password_hash text,
  api_key_mac bytea not null unique,
  api_key_sealed bytea not null,
  timezone text not null default '',
  avatar_version integer not null default 1,
  settings jsonb not null default '{}',
  date_joined timestamptz not null default now(),
  check (is_bot = (bot_type is not null))
);
create unique index realm_user_email on realm_user (realm_id, lower(delivery_email));
create index realm_user_owner on realm_user (bot_owner_id) where bot_owner_id is not null;

-- A group without a name is anonymous: the value of one permission setting.
-- A system group has everybody whose role number is at most role_limit.
create table user_group (
  id bigint generated always as identity primary key,
  realm_id bigint not null references realm on delete cascade,
  name text,
  description text not null default '',
  is_system_group boolean not null default false,
  role_limit integer,
  full_members_only boolean not null default false,
  deactivated boolean not null default false,
  creator_id bigint references realm_user,
  date_created timestamptz,
  can_add_members_group bigint references user_group,
  can_join_group bigint references user_group,
  can_leave_group bigint references user_group,
  can_manage_group bigint references user_group,
  can_mention_group bigint references user_group,
  can_remove_members_group bigint references user_group
);
create unique index user_group_name on user_group (realm_id, lower(name)) where name is not null;

create table user_group_member (
  realm_id bigint not null references realm on delete cascade,
  group_id bigint not null references user_group on delete cascade,
  user_id bigint not null references realm_user on delete cascade,
  primary key (group_id, user_id)
);
create index user_group_member_user on user_group_member (user_id);

create table user_group_subgroup (
  realm_id bigint not null references realm on delete cascade,
  group_id bigint not null references user_group on delete cascade,
  subgroup_id bigint not null references user_group on delete cascade,
  primary key (group_id, subgroup_id)
);

-- Whether a user belongs to a group, directly, by role, or through nested groups.
create function group_has_user(target bigint, member bigint) returns boolean
language sql stable as $$
  with recursive nested (id) as (
    select target
    union
    select s.subgroup_id from user_group_subgroup s join nested n on s.group_id = n.id
  )
  select exists (
    select from nested n
    join user_group g on g.id = n.id
    join realm_user u on u.id = member and u.realm_id = g.realm_id
    join realm r on r.id = u.realm_id
    where g.role_limit >= u.role and u.is_active
      and (not g.full_members_only or u.role < 400
        or u.date_joined <= now() - r.waiting_period_days * interval '1 day')
  ) or exists (
    select from nested n
    join user_group_member m on m.group_id = n.id
    join realm_user u on u.id = m.user_id
    where m.user_id = member and u.is_active
  )
$$;

-- Every group a user belongs to: directly, by role, or because it contains one of these.
create function groups_of(member bigint) returns setof bigint
language sql stable as $$
  with recursive belongs (id) as (
    (
      select group_id from user_group_member where user_id = member
      union
      select g.id from user_group g
      join realm_user u on u.id = member and u.realm_id = g.realm_id
      join realm r on r.id = g.realm_id
      where g.role_limit >= u.role
        and (not g.full_members_only or u.role < 400
          or u.date_joined <= now() - r.waiting_period_days * interval '1 day')
    )
    union
    select s.group_id from user_group_subgroup s join belongs b on s.subgroup_id = b.id
  )
  select id from belongs
$$;

create table channel (
  id bigint generated always as identity primary key,
  realm_id bigint not null references realm on delete cascade,
  name text not null,
  description text not null default '',
  rendered_description text not null default '',
  creator_id bigint references realm_user,
  invite_only boolean not null default false,
  is_web_public boolean not null default false,
  is_archived boolean not null default false,
  is_default boolean not null default false,
  history_public_to_subscribers boolean not null default true,
  message_retention_days integer,
  folder_id bigint,
  topics_policy text not null default 'inherit',
  first_message_id bigint,
  date_created timestamptz not null default now(),
  can_add_subscribers_group bigint not null references user_group,
  can_administer_channel_group bigint not null references user_group,
  can_delete_any_message_group bigint not null references user_group,
  can_delete_own_message_group bigint not null references user_group,
  can_move_messages_out_of_channel_group bigint not null references user_group,
  can_move_messages_within_channel_group bigint not null references user_group,
  can_remove_subscribers_group bigint not null references user_group,
  can_resolve_topics_group bigint not null references user_group,
  can_send_message_group bigint not null references user_group,
  can_subscribe_group bigint not null references user_group
);
create unique index channel_name on channel (realm_id, lower(name));

create table subscription (
  realm_id bigint not null references realm on delete cascade,
  channel_id bigint not null references channel on delete cascade,
  user_id bigint not null references realm_user on delete cascade,
  is_active boolean not null default true,
  color text not null,
  is_muted boolean not null default false,
  pin_to_top boolean not null default false,
  audible_notifications boolean,
  desktop_notifications boolean,
  email_notifications boolean,
  push_notifications boolean,
  wildcard_mentions_notify boolean,
  primary key (user_id, channel_id)
);
create index subscription_channel on subscription (channel_id) where is_active;

-- The set of people a message went to: a channel, or the sorted participants of a conversation.
create table recipient (
  id bigint generated always as identity primary key,
  realm_id bigint not null references realm on delete cascade,
  channel_id bigint unique references channel on delete cascade,
  user_ids bigint[],
  check ((channel_id is null) <> (user_ids is null))
);
create unique index recipient_users on recipient (realm_id, user_ids) where user_ids is not null;
create index recipient_participants on recipient using gin (user_ids) where user_ids is not null;

-- Written all day: references that follow from others are not checked again. The recipient and the
-- sender are of the realm; the channel is the recipient's.
create table message (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  sender_id bigint not null references realm_user,
  recipient_id bigint not null references recipient,
  channel_id bigint,
  topic text not null default '',
  content text not null,
  rendered_content text not null,
  sent_at bigint not null,
  client text not null,
  is_me_message boolean not null default false,
  has_link boolean not null default false,
  has_image boolean not null default false,
  has_attachment boolean not null default false,
  edit_history jsonb,
  last_edited_at bigint,
  last_moved_at bigint,
  search tsvector generated always as (to_tsvector('english', topic || ' ' || content)) stored
);
create index message_recipient on message (recipient_id, id);
create index message_topic on message (channel_id, lower(topic), id) where channel_id is not null;
create index message_sender on message (sender_id, id);
-- For counting what was sent lately: small, and next to nothing to keep.
create index message_sent on message using brin (sent_at);
create index message_search on message using gin (search);

-- That a user received a message, and their flags on it (bits: see messages/flags.ts).
-- A row per reader: nothing is checked here, and who deletes a message deletes these.
create table user_message (
  realm_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  flags integer not null default 0,
  primary key (user_id, message_id)
);
create index user_message_message on user_message (message_id);
create index user_message_unread on user_message (user_id, message_id) where flags & 1 = 0;
-- Starred, mentioned in any way, alerted.
create index user_message_marked on user_message (user_id, message_id) where flags & 250 <> 0;

-- What happened, in the order of commit: seq comes from event_counter, last in the transaction.
create table event (
  realm_id bigint not null,
  seq bigint not null,
  type text not null,
  payload json not null,
  audience bigint[] not null,
  personal json,
  primary key (realm_id, seq)
);

create table event_queue (
  id uuid primary key,
  realm_id bigint not null references realm on delete cascade,
  user_id bigint not null references realm_user on delete cascade,
  registration json not null,
  client text not null,
  start_id bigint not null,
  acknowledged_id bigint not null,
  lifespan_seconds integer not null,
  last_active timestamptz not null default now()
);
create index event_queue_user on event_queue (user_id);
create index event_queue_realm on event_queue (realm_id);

-- Where an outgoing webhook bot is told of messages.
create table bot_service (
  id bigint generated always as identity primary key,
  realm_id bigint not null references realm on delete cascade,
  user_id bigint not null references realm_user on delete cascade,
  name text not null,
  base_url text not null,
  interface smallint not null default 1,
  token_mac bytea not null unique,
  token_sealed bytea not null,
  failing_since timestamptz,
  failures_in_a_row integer not null default 0,
  disabled_at timestamptz,
  -- While disabled: when the next delivery may be tried.
  probe_after timestamptz
);
create index bot_service_user on bot_service (user_id);

-- Settings of a bot beyond those of a user.
create table bot_profile (
  user_id bigint primary key references realm_user on delete cascade,
  realm_id bigint not null references realm on delete cascade,
  default_sending_channel_id bigint references channel on delete set null,
  default_events_register_channel_id bigint references channel on delete set null,
  default_all_public_streams boolean not null default false,
  config_data jsonb not null default '{}'
);

-- A phone's account. The server knows its key and the bouncer's number for it, never its token.
create table push_device (
  id bigint generated always as identity primary key,
  realm_id bigint not null references realm on delete cascade,
  user_id bigint not null references realm_user on delete cascade,
  push_account_id bigint not null,
  token_kind text not null check (token_kind in ('fcm', 'apns')),
  push_public_key text not null,
  bouncer_device_id bigint,
  error_code text,
  unique (user_id, push_account_id)
);
