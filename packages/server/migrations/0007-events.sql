-- The number of the realm's newest event. Every change locks this row, last in its transaction, so
-- that the order of events is the order of commits. A table of its own: realm rows stay unlocked.
create table event_counter (
  realm_id bigint primary key references realm on delete cascade,
  last_seq bigint not null default 0
) with (fillfactor = 50);

-- No foreign keys: every change inserts here, and the same statement updates the realm's event_counter.
create table event (
  realm_id bigint not null,
  seq bigint not null,
  type text not null,
  payload json not null,
  audience bigint[] not null,
  personal json,
  primary key (realm_id, seq)
);

create table event_queue (
  realm_id bigint not null,
  id uuid not null,
  user_id bigint not null,
  registration json not null,
  client text not null,
  acknowledged_id bigint not null,
  scanned_seq bigint not null,
  lifespan_seconds integer not null,
  last_active timestamptz not null default now(),
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references realm_user on delete cascade
);
create index event_queue_user on event_queue (realm_id, user_id);
