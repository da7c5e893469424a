-- Organizations that are being imported. The rows go when the import has ended.
create table realm_import (
  realm_id bigint primary key references realm on delete cascade,
  -- SHA-256 of the export: only the same one continues an import that was interrupted.
  source text not null,
  -- The step that is next, and how many of its parts are done.
  step integer not null default 0,
  part integer not null default 0,
  -- What was brought, and what was left out: counts by name.
  counts jsonb not null default '{}'
);

-- What the IDs of the export became. A kind may give one former ID several: participants do.
create table imported_id (
  realm_id bigint not null references realm on delete cascade,
  kind text not null,
  former_id bigint not null,
  id bigint not null,
  primary key (realm_id, kind, former_id, id)
);

-- What the addresses of files below /user_uploads/ became.
create table imported_file (
  realm_id bigint not null references realm on delete cascade,
  path text not null,
  upload_id bigint not null,
  primary key (realm_id, path),
  foreign key (realm_id, upload_id) references upload on delete cascade
);
create index imported_file_upload on imported_file (realm_id, upload_id);
