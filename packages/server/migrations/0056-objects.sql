-- Files in an S3-compatible store.
alter table upload
  -- The object that holds the bytes of a complete file; null while they are rows of upload_chunk. Each
  -- object has a key of its own, which is never used again.
  add object_key text,
  -- SHA-256 of the bytes; null for files of former versions.
  add sha256 bytea;

create index upload_object on upload (realm_id, id) where object_key is not null;

-- Objects that no file has: not yet, or no longer. A job removes them. The row is written before its object,
-- and deleted with the change that gives the object to a file: a crash in between leaves no object behind
-- that nobody knows of.
create table loose_object (
  realm_id bigint not null,
  key text not null,
  -- UNIX seconds: from then on it is removed. 0: no file may get it any more.
  remove_after bigint not null,
  primary key (realm_id, key)
);

-- However a row of upload goes, also with its owner, its object goes too.
create function loosen_object() returns trigger language plpgsql as $$
begin
  insert into loose_object (realm_id, key, remove_after) values (old.realm_id, old.object_key, 0)
  on conflict (realm_id, key) do update set remove_after = 0;
  return null;
end $$;
create trigger upload_removed after delete on upload
  for each row when (old.object_key is not null) execute function loosen_object();
create trigger upload_moved after update of object_key on upload
  for each row when (old.object_key is not null and old.object_key is distinct from new.object_key)
  execute function loosen_object();
