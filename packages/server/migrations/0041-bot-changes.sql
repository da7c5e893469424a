-- The changes of messages that the webhook of a bot gets: reaction, edit, delete.
create table bot_change (
  realm_id bigint not null,
  user_id bigint not null,
  kind text not null check (kind in ('reaction', 'edit', 'delete')),
  primary key (realm_id, kind, user_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index bot_change_user on bot_change (realm_id, user_id);
