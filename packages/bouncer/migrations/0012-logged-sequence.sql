-- The identity of an unlogged table has an unlogged sequence, and PostgreSQL 15 leaves such a sequence without
-- its first page on a standby: after its promotion nobody could use it ("bad magic number in sequence").
alter table push_trace alter column number drop identity;
create sequence push_trace_counter;
select setval('push_trace_counter', coalesce(max(number), 0) + 1, false) from push_trace;
alter table push_trace alter column number set default nextval('push_trace_counter');
