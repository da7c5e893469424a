-- The pushes of messages that a phone may show: sent or on their way, until the user has read the
-- message or may no longer read it. Inserted by the job that sends, before it sends. No foreign key to
-- the message: the row of a deleted message says whose phones have to remove it.
create table message_push (
  realm_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  -- Whether the bouncer has taken it for all devices of the user.
  is_sent boolean not null default false,
  primary key (realm_id, user_id, message_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index message_push_message on message_push (realm_id, message_id);
