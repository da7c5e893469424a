create table playground (
  realm_id bigint not null references realm on delete cascade,
  id bigint generated always as identity,
  name text not null,
  highlighter_language text not null,
  url_template text not null,
  primary key (realm_id, id),
  unique (realm_id, highlighter_language, name)
);
