-- The domains of addresses that new users of a realm may have.
create table realm_domain (
  realm_id bigint not null references realm on delete cascade,
  id bigint generated always as identity,
  -- In lower case.
  domain text not null,
  allow_subdomains boolean not null,
  primary key (realm_id, id),
  unique (realm_id, domain)
);
