-- Where a realm is found: by the first label of its host name, and by the UUID that the bouncer knows it by. A
-- table of all realms: both are unique among them, wherever a distributor of PostgreSQL places their rows.
create table realm_name (
  id bigint primary key,
  subdomain text not null unique,
  uuid uuid not null unique
);

lock table realm in share row exclusive mode;
insert into realm_name select id, subdomain, uuid from realm;

-- Nodes of the version before insert the row of realm only. A distributed table has no triggers: this one is
-- dropped before.
create function name_realm() returns trigger language plpgsql as $$
begin
  insert into realm_name (id, subdomain, uuid) values (new.id, new.subdomain, new.uuid)
  on conflict (id) do nothing;
  return new;
end $$;
create trigger realm_named before insert on realm for each row execute function name_realm();

alter table realm
  drop constraint realm_subdomain_key,
  drop constraint realm_uuid_key,
  add foreign key (id) references realm_name on delete cascade;
