create table reaction (
  realm_id bigint not null,
  -- The order of reactions to a message.
  id bigint generated always as identity,
  message_id bigint not null,
  user_id bigint not null,
  emoji_name text not null,
  emoji_code text not null,
  reaction_type text not null,
  primary key (realm_id, message_id, user_id, emoji_code, reaction_type),
  foreign key (realm_id, message_id) references message on delete cascade,
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index reaction_user on reaction (realm_id, user_id);
