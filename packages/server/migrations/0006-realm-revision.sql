-- Counts the changes of all but what people write: to channels, subscriptions, groups, users, settings.
alter table event_counter add column revision bigint not null default 0;

-- For what rests on something read at an earlier revision: made again if that may not be true any more.
create function still_at(current bigint, known bigint) returns boolean
language plpgsql as $$
begin
  if current <> known then
    raise serialization_failure using message = 'What this change rests on has changed meanwhile';
  end if;
  return true;
end $$;
