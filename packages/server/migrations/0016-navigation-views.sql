-- The views that a user pinned, hid or defined in the navigation menu.
create table navigation_view (
  realm_id bigint not null,
  user_id bigint not null,
  fragment text not null,
  -- The order of the views of a user.
  id bigint generated always as identity,
  is_pinned boolean not null,
  -- Null for built-in views.
  name text,
  primary key (realm_id, user_id, fragment),
  unique (realm_id, user_id, name),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
