-- What a user has begun to write, stored for the user's other clients.
create table draft (
  realm_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  type text not null check (type in ('', 'stream', 'private')),
  channel_id bigint,
  -- All participants of a direct message, in ascending order.
  user_ids bigint[],
  topic text not null,
  content text not null,
  -- UNIX seconds.
  edited_at bigint not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references realm_user on delete cascade,
  foreign key (realm_id, channel_id) references channel on delete cascade
);
create index draft_user on draft (realm_id, user_id, edited_at, id);
create index draft_channel on draft (realm_id, channel_id) where channel_id is not null;
