-- What bots keep on the server between their messages.
create table bot_storage (
  realm_id bigint not null,
  user_id bigint not null references realm_user on delete cascade,
  key text not null,
  value text not null,
  size integer not null generated always as (char_length(key) + char_length(value)) stored,
  primary key (user_id, key)
);
