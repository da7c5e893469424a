create table linkifier (
  realm_id bigint not null references realm on delete cascade,
  id bigint generated always as identity,
  -- Linkifiers apply in the order of position; equal positions in the order of id.
  position integer not null,
  pattern text not null,
  url_template text not null,
  primary key (realm_id, id),
  unique (realm_id, pattern)
);
