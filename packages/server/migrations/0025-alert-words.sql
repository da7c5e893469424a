create table alert_word (
  realm_id bigint not null,
  user_id bigint not null,
  word text not null,
  word_key text not null generated always as (lower(word)) stored,
  primary key (realm_id, user_id, word_key),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
