create table channel (
  realm_id bigint not null references realm on delete cascade,
  id bigint generated always as identity,
  name text not null,
  description text not null default '',
  rendered_description text not null default '',
  creator_id bigint,
  invite_only boolean not null default false,
  is_web_public boolean not null default false,
  is_archived boolean not null default false,
  is_default boolean not null default false,
  history_public_to_subscribers boolean not null default true,
  message_retention_days integer,
  folder_id bigint,
  topics_policy text not null default 'inherit',
  first_message_id bigint,
  -- Of the last four weeks, as of the last hour.
  recent_messages integer not null default 0,
  date_created timestamptz not null default now(),
  can_add_subscribers_group bigint not null,
  can_administer_channel_group bigint not null,
  can_delete_any_message_group bigint not null,
  can_delete_own_message_group bigint not null,
  can_move_messages_out_of_channel_group bigint not null,
  can_move_messages_within_channel_group bigint not null,
  can_remove_subscribers_group bigint not null,
  can_resolve_topics_group bigint not null,
  can_send_message_group bigint not null,
  can_subscribe_group bigint not null,
  primary key (realm_id, id),
  foreign key (realm_id, creator_id) references realm_user,
  foreign key (realm_id, can_add_subscribers_group) references user_group,
  foreign key (realm_id, can_administer_channel_group) references user_group,
  foreign key (realm_id, can_delete_any_message_group) references user_group,
  foreign key (realm_id, can_delete_own_message_group) references user_group,
  foreign key (realm_id, can_move_messages_out_of_channel_group) references user_group,
  foreign key (realm_id, can_move_messages_within_channel_group) references user_group,
  foreign key (realm_id, can_remove_subscribers_group) references user_group,
  foreign key (realm_id, can_resolve_topics_group) references user_group,
  foreign key (realm_id, can_send_message_group) references user_group,
  foreign key (realm_id, can_subscribe_group) references user_group
);
create unique index channel_name on channel (realm_id, lower(name));

-- A user who unsubscribes keeps the row, with is_active false: subscribing again restores the color
-- and the settings.
create table subscription (
  realm_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  is_active boolean not null default true,
  color text not null,
  is_muted boolean not null default false,
  pin_to_top boolean not null default false,
  audible_notifications boolean,
  desktop_notifications boolean,
  email_notifications boolean,
  push_notifications boolean,
  wildcard_mentions_notify boolean,
  primary key (realm_id, user_id, channel_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade,
  foreign key (realm_id, channel_id) references channel on delete cascade
);
create index subscription_channel on subscription (realm_id, channel_id) where is_active;
