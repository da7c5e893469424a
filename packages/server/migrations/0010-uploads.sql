-- Uploaded files. Times are UNIX seconds.
create table upload (
  realm_id bigint not null,
  id bigint generated always as identity,
  owner_id bigint not null,
  -- Random part of the file's address.
  token text not null,
  -- The last part of the address, and the name as its owner wrote it.
  file_name text not null,
  name text not null,
  type text not null,
  size bigint not null default 0,
  is_complete boolean not null default false,
  created_at bigint not null,
  -- When the last link from a message ended; null while a message links the file.
  unclaimed_since bigint,
  -- Pending until the thumbnails are made; null for files that are no image, or a damaged one. The
  -- other columns are null until then.
  image_state text check (image_state in ('pending', 'ready')),
  image_type text,
  -- Pixels.
  image_width integer,
  image_height integer,
  image_frames integer,
  primary key (realm_id, id),
  unique (realm_id, token),
  foreign key (realm_id, owner_id) references realm_user on delete cascade
);
create index upload_owner on upload (realm_id, owner_id);
create index upload_realm on upload (realm_id) include (size);
create index upload_unclaimed on upload (realm_id, unclaimed_since)
  where unclaimed_since is not null;

-- The bytes of a file in chunks of equal size; the last chunk may be shorter. Stored uncompressed:
-- most uploads are pictures.
create table upload_chunk (
  realm_id bigint not null,
  upload_id bigint not null,
  number integer not null,
  bytes bytea not null,
  primary key (realm_id, upload_id, number),
  foreign key (realm_id, upload_id) references upload on delete cascade
);
alter table upload_chunk alter column bytes set storage external;

-- Smaller forms of an image, by the name of their format.
create table thumbnail (
  realm_id bigint not null,
  upload_id bigint not null,
  format text not null,
  bytes bytea not null,
  primary key (realm_id, upload_id, format),
  foreign key (realm_id, upload_id) references upload on delete cascade
);
alter table thumbnail alter column bytes set storage external;

-- Which messages link a file. The row is written before its message in the same transaction, so
-- message_id has no foreign key.
create table upload_message (
  realm_id bigint not null,
  upload_id bigint not null,
  message_id bigint not null,
  primary key (realm_id, upload_id, message_id),
  foreign key (realm_id, upload_id) references upload on delete cascade
);
create index upload_message_message on upload_message (realm_id, message_id);
