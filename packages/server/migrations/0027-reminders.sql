-- Messages of which the notification bot reminds a user later. A row is deleted when that is done.
create table reminder (
  realm_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  message_id bigint not null,
  note text not null,
  -- What is sent if the user may no longer read the message.
  content text not null,
  rendered_content text not null,
  -- UNIX seconds.
  deliver_at bigint not null,
  failed boolean not null default false,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index reminder_user on reminder (realm_id, user_id, deliver_at, id);
