import { type RealmId, roles } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

/** The users whose consoles show the deliveries of a bot. */
export interface ConsoleWatchers {
  readonly ids: readonly number[];
}

/**
 * An expression: the owner of a bot and administrators who have a queue with the capability
 * `console_events`; null without any. Events for consoles go to them only: without a console nothing
 * is written.
 */
export const consoleWatchers = (
  realm: RealmId,
  bot_id: RawBuilder<unknown>,
): RawBuilder<ConsoleWatchers | null> => sql<ConsoleWatchers | null>`(
  select json_build_object('ids', json_agg(distinct watcher.id))
  from event_queue q
  join realm_user watcher on watcher.realm_id = q.realm_id and watcher.id = q.user_id
  join realm_user bot on bot.realm_id = q.realm_id and bot.id = ${bot_id}
  where q.realm_id = ${realm} and q.registration -> 'capabilities' ->> 'console_events' = 'true'
    and watcher.is_active
    and (watcher.id = bot.bot_owner_id or (watcher.role <= ${roles.admin} and not watcher.is_bot))
  having count(*) > 0)`;
