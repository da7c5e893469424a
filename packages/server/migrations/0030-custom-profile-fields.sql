create table custom_profile_field (
  realm_id bigint not null references realm on delete cascade,
  id bigint generated always as identity,
  name text not null,
  hint text not null,
  -- 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 users, 7 external account, 8 pronouns.
  field_type smallint not null check (field_type between 1 and 8),
  -- JSON text of the types 3 and 7; empty for the others.
  field_data text not null,
  field_order integer not null,
  display_in_profile_summary boolean not null,
  required boolean not null,
  editable_by_user boolean not null,
  primary key (realm_id, id)
);
create unique index custom_profile_field_name on custom_profile_field (realm_id, lower(name));

-- The values of users. Of the type users: JSON text with a list of IDs.
create table custom_profile_value (
  realm_id bigint not null,
  user_id bigint not null,
  field_id bigint not null,
  value text not null,
  rendered_value text,
  primary key (realm_id, user_id, field_id),
  foreign key (realm_id, user_id) references realm_user on delete cascade,
  foreign key (realm_id, field_id) references custom_profile_field on delete cascade
);
create index custom_profile_value_field on custom_profile_value (realm_id, field_id);
