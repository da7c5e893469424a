-- What users tell about themselves. An empty text or emoji_name: none.
create table user_status (
  realm_id bigint not null,
  user_id bigint not null,
  away boolean not null default false,
  status_text text not null default '',
  emoji_name text not null default '',
  emoji_code text not null default '',
  reaction_type text not null default 'unicode_emoji',
  primary key (realm_id, user_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
