import { type Kysely, sql } from 'kysely';

/**
 * Lets the database refuse a transaction that changes who is subscribed to a channel and does not say so in the
 * event log: nodes would go on to deliver events of the channel by what they have read there.
 */
export async function refuseUntoldSubscriptions<T>(db: Kysely<T>): Promise<void> {
  await sql`create function require_told_subscription() returns trigger language plpgsql as $$
    declare
      told text;
    begin
      select e.payload->>'op' into told
      from event e, json_array_elements(e.payload->'members') m, json_array_elements_text(m->1) u
      where e.realm_id = new.realm_id and e.type = 'membership' and e.xmin = pg_current_xact_id()::xid
        and (m->>0)::bigint = new.channel_id and u::bigint = new.user_id
      order by e.seq desc limit 1;
      if told is distinct from (
        select case when s.is_active then 'join' else 'leave' end from subscription s
        where s.realm_id = new.realm_id and s.user_id = new.user_id and s.channel_id = new.channel_id
      ) then
        raise exception 'The log does not say how user % is subscribed to channel % now: see Change.membersChanged',
          new.user_id, new.channel_id;
      end if;
      return null;
    end $$`.execute(db);
  await sql`create constraint trigger subscription_is_told after insert or update of is_active
    on subscription deferrable initially deferred
    for each row execute function require_told_subscription()`.execute(db);
}
