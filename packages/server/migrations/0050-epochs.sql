-- A promoted standby may lack the newest events. epoch_seq is the newest that it had; a queue from
-- before goes on if its client has seen none after it.
alter table event_counter add column epoch integer not null default 0;
alter table event_counter add column epoch_seq bigint not null default 0;
alter table event_queue add column epoch integer not null default 0;
