-- Messages since the last look for users who miss them: written by the statement that writes the message,
-- deleted a few seconds later.
create table mail_check (
  realm_id bigint not null,
  message_id bigint not null,
  primary key (realm_id, message_id)
);

-- Messages of which a user gets a mail at due_at (UNIX seconds), unless they have read them by then. No
-- foreign key to the message: a message that is gone is left out of the mail.
create table missed_message (
  realm_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  due_at bigint not null,
  primary key (realm_id, user_id, message_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index missed_message_due on missed_message (realm_id, due_at);
