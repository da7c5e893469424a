-- The definition of a message's widget, and each later action of a user on it.
create table submessage (
  realm_id bigint not null,
  id bigint generated always as identity,
  message_id bigint not null,
  sender_id bigint not null,
  msg_type text not null,
  content text not null,
  primary key (realm_id, id),
  foreign key (realm_id, message_id) references message on delete cascade,
  foreign key (realm_id, sender_id) references realm_user on delete cascade
);
create index submessage_message on submessage (realm_id, message_id, id);
create index submessage_sender on submessage (realm_id, sender_id);
