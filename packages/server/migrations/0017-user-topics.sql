-- Topics that a user has muted (1), unmuted (2) or follows (3). Topics differ regardless of case.
create table user_topic (
  realm_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  topic text not null,
  topic_key text not null generated always as (lower(topic)) stored,
  visibility_policy smallint not null check (visibility_policy in (1, 2, 3)),
  -- UNIX seconds.
  last_updated bigint not null,
  primary key (realm_id, user_id, channel_id, topic_key),
  foreign key (realm_id, user_id) references realm_user on delete cascade,
  foreign key (realm_id, channel_id) references channel on delete cascade
);
create index user_topic_channel on user_topic (realm_id, channel_id, topic_key);
