-- Host names are compared in one form: lower case, ASCII, without a final dot and without the port 443. Of
-- several active servers whose names become equal, the oldest keeps the name; the others keep theirs as
-- they are, and are told at their next start that it is taken.
with renamed as (
  select server_uuid, created_at, deactivated, regexp_replace(
    regexp_replace(translate(lower(hostname), '。．｡', '...'), ':443$', ''),
    '\.(:[0-9]+)?$', '\1'
  ) as name
  from remote_server
), first as (
  select server_uuid, name, deactivated, row_number() over (
    partition by name, deactivated order by created_at, server_uuid
  ) as place
  from renamed
)
update remote_server set hostname = first.name
from first
where remote_server.server_uuid = first.server_uuid
  and hostname <> first.name
  and (first.deactivated or (first.place = 1 and not exists (
    select from remote_server as other
    where not other.deactivated and lower(other.hostname) = first.name
      and other.server_uuid <> first.server_uuid
  )));

update ban set host_like = regexp_replace(translate(host_like, '。．｡', '...'), '\.$', '')
where host_like is not null;
