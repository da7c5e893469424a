-- Texts that a user keeps for later messages.
create table saved_snippet (
  realm_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  title text not null,
  content text not null,
  -- UNIX seconds.
  date_created bigint not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index saved_snippet_user on saved_snippet (realm_id, user_id, id);
