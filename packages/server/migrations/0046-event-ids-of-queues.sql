-- Subtracted from the IDs of the log in answers to the client. Zero for the queues from before: their
-- clients know the IDs of the log.
alter table event_queue add column id_offset bigint not null default 0;
