-- Files that people uploaded. Times are UNIX seconds.
create table upload (
  id bigint generated always as identity primary key,
  realm_id bigint not null references realm on delete cascade,
  owner_id bigint not null references realm_user on delete cascade,
  -- What is in its address: nobody guesses the token.
  token text not null unique,
  file_name text not null,
  -- As its owner calls it.
  name text not null,
  type text not null,
  size bigint not null default 0,
  is_complete boolean not null default false,
  created_at bigint not null,
  -- While no message links it: since when.
  unclaimed_since bigint
);
create index upload_owner on upload (owner_id);
create index upload_realm on upload (realm_id) include (size);
create index upload_unclaimed on upload (unclaimed_since) where unclaimed_since is not null;

-- Its bytes, in pieces of the same size but for the last. Mostly pictures: nothing to compress.
create table upload_chunk (
  realm_id bigint not null,
  upload_id bigint not null references upload on delete cascade,
  number integer not null,
  bytes bytea not null,
  primary key (upload_id, number)
);
alter table upload_chunk alter column bytes set storage external;

-- Which messages link it. Written before the message is, in one transaction: nothing is checked here.
create table upload_message (
  realm_id bigint not null,
  upload_id bigint not null references upload on delete cascade,
  message_id bigint not null,
  primary key (upload_id, message_id)
);
create index upload_message_message on upload_message (message_id);
