-- Uses of quotas in their current window, for all nodes: subject is `server UUID`, `realm UUID` or `device ID`.
-- granted: what the latest claim got. exceeded_window: the last window that the audit log names as exceeded.
-- Not logged: a crash of PostgreSQL begins the windows anew, and a claim waits for no flush.
create unlogged table quota_use (
  subject text not null,
  quota text not null,
  quota_limit bigint not null,
  window_start timestamptz not null,
  used bigint not null,
  granted bigint not null,
  exceeded_window timestamptz,
  primary key (subject, quota)
);
