-- Topics whose messages the webhook of a bot gets without a mention, until expires_at.
create table bot_topic (
  realm_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  topic text not null,
  topic_key text not null generated always as (lower(topic)) stored,
  -- UNIX seconds.
  expires_at bigint not null,
  primary key (realm_id, user_id, channel_id, topic_key),
  foreign key (realm_id, user_id) references realm_user on delete cascade,
  foreign key (realm_id, channel_id) references channel on delete cascade
);
create index bot_topic_channel on bot_topic (realm_id, channel_id, topic_key);
