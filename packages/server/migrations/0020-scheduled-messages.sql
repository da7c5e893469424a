-- Messages that are sent later. A row is deleted when its message is sent.
create table scheduled_message (
  realm_id bigint not null,
  id bigint generated always as identity,
  sender_id bigint not null,
  -- The program with which it was scheduled or last edited.
  client text not null,
  channel_id bigint,
  -- All participants of a direct message, in ascending order.
  user_ids bigint[],
  topic text not null,
  content text not null,
  rendered_content text not null,
  -- UNIX seconds.
  deliver_at bigint not null,
  read_by_sender boolean not null,
  -- Why it could not be sent; null if the server has not tried.
  failure text,
  primary key (realm_id, id),
  foreign key (realm_id, sender_id) references realm_user on delete cascade,
  foreign key (realm_id, channel_id) references channel on delete cascade,
  check ((channel_id is null) <> (user_ids is null))
);
create index scheduled_message_sender on scheduled_message (realm_id, sender_id, deliver_at, id);
create index scheduled_message_channel on scheduled_message (realm_id, channel_id)
  where channel_id is not null;
