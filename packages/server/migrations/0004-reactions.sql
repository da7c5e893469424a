-- Few beside the messages, so that these are checked; they go with their message.
create table reaction (
  id bigint generated always as identity,
  realm_id bigint not null references realm on delete cascade,
  message_id bigint not null references message on delete cascade,
  user_id bigint not null references realm_user on delete cascade,
  emoji_name text not null,
  emoji_code text not null,
  reaction_type text not null,
  primary key (message_id, user_id, emoji_code, reaction_type)
);
create index reaction_user on reaction (user_id);

-- What a widget is made of, and what people did with it since.
create table submessage (
  id bigint generated always as identity primary key,
  realm_id bigint not null references realm on delete cascade,
  message_id bigint not null references message on delete cascade,
  sender_id bigint not null references realm_user on delete cascade,
  msg_type text not null,
  content text not null
);
create index submessage_message on submessage (message_id, id);
create index submessage_sender on submessage (sender_id);
