-- UNIX seconds: when the app sent its key last. Null also for the keys from before this column.
alter table client_device add column key_updated_at bigint;
