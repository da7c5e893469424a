import { enqueue, enqueueAll } from '@bellhop/jobs';
import { numberArray } from '@bellhop/postgres';
import type { UserId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { App, JobApp } from './app.ts';
import { everyoneInChannel } from './audience.ts';
import type { Change, Membership, Tx } from './call.ts';
import type { Realm } from './caller.ts';
import { EVENTS_CHANNEL, lockingLog } from './event-log.ts';
import { MEMBERSHIP, type MembershipChange, type StoredFields } from './stored-event.ts';

type ChangeParts = Pick<App, 'db' | 'queues' | 'users' | 'nowMs'>;

interface Outgoing {
  readonly event: { readonly type: string };
  readonly audience: readonly number[];
  readonly personal: StoredFields | undefined;
}

/**
 * The only functions that open a change, for handlers and jobs. Rows, events and jobs are committed
 * together or not at all. After a deadlock or serialization failure the work runs again. Resolves
 * when the commit is on disk, and when ended logins have ended on every node. The commit itself does
 * not wait for the disk, because it holds the lock on the realm's event counter: changes of one realm
 * would wait for the disk one after the other.
 */
export function openChanges(parts: ChangeParts): Pick<JobApp, 'change' | 'changeIn'> {
  return {
    async change(realm, work, { snapshot = false, onCommit } = {}) {
      const { result, endsLogins } = await parts.db.transaction(
        (tx) => changeIn(parts, tx, realm, work),
        {
          groupFlush: true,
          retries: 3,
          ...(snapshot && { isolation: 'repeatable read' }),
          ...(onCommit && { onCommit }),
        },
      );
      if (endsLogins) await parts.users.forgotten();
      return result;
    },
    changeIn: async (tx, realm, work) => (await changeIn(parts, tx, realm, work)).result,
  };
}

/**
 * Runs work in an open transaction. The last statements, sent with the commit, increment the event
 * counter of the realm and do what follows from the place of the events: events are numbered in the order
 * of commits, and the lock on the counter is held as briefly as possible.
 */
async function changeIn<T>(
  { queues, users, nowMs }: ChangeParts,
  tx: Tx,
  realm: Pick<Realm, 'id'>,
  work: (change: Change) => Promise<T>,
): Promise<{ readonly result: T; readonly endsLogins: boolean }> {
  const outgoing: Outgoing[] = [];
  const following: RawBuilder<unknown>[] = [];
  const ended = new Set<UserId>();
  let endsLogins = false;
  const endQueues: Change['endQueues'] = async (ids) => {
    for (const id of ids) ended.add(id);
    await queues.removeOf(tx, realm.id, ids);
  };
  const result = await work({
    db: tx,
    nowMs,
    emit: (event, audience, personal) => {
      if (audience.length > 0) outgoing.push({ event, audience, personal });
    },
    membersChanged: (op, members) => {
      if (members.length > 0) outgoing.push(membershipRow(op, members));
    },
    enqueue: (job, payload, options) => enqueue(tx, job, payload, options),
    enqueueAll: (job, payloads) =>
      enqueueAll(
        tx,
        job,
        payloads.map((payload) => ({ payload })),
      ),
    endQueues,
    endLogins: async (user) => {
      endsLogins = true;
      await endQueues([user.id]);
      users.forget(tx, user.id);
    },
    afterEvents: (statement) => following.push(statement),
  });
  if (outgoing.length > 0) {
    tx.last(appendEvents(realm, endingQueues(outgoing, [...ended])).compile(tx));
    tx.notify(EVENTS_CHANNEL, String(realm.id));
  } else if (following.length > 0) tx.last(lockingLog(realm.id).compile(tx));
  for (const statement of following) tx.last(statement.compile(tx));
  return { result, endsLogins };
}

function membershipRow(op: MembershipChange['op'], members: readonly Membership[]): Outgoing {
  const byChannel = Map.groupBy(members, ({ channel_id }) => channel_id);
  const users = new Set(members.map(({ user_id }) => user_id));
  const event: MembershipChange = {
    type: MEMBERSHIP,
    op,
    members: [...byChannel].map(([id, of]) => [id, of.map(({ user_id }) => user_id)]),
  };
  const audience = [...[...byChannel.keys()].map(everyoneInChannel), ...users];
  return { event, audience, personal: undefined };
}

/** The events of a change that ends the queues of users; they read the first one, and end before it. */
function endingQueues(
  outgoing: readonly Outgoing[],
  ended: readonly UserId[],
): readonly Outgoing[] {
  const at = outgoing.findIndex(({ event }) => event.type !== MEMBERSHIP);
  const first = outgoing[at];
  if (!first || ended.length === 0) return outgoing;
  return outgoing.with(at, {
    ...first,
    audience: [...new Set([...first.audience, ...ended])],
    personal: { ...first.personal, ended },
  });
}

function appendEvents({ id }: Pick<Realm, 'id'>, outgoing: readonly Outgoing[]) {
  const types = outgoing.map(({ event }) => event.type);
  const payloads = outgoing.map(({ event }) => JSON.stringify(event));
  const audiences = outgoing.map(({ audience }) => numberArray(audience));
  const personal = outgoing.map(({ personal }) => (personal ? JSON.stringify(personal) : null));
  return sql`with counter as (
    update event_counter set last_seq = last_seq + ${outgoing.length}
    where realm_id = ${id} returning last_seq
  ), added as (
    insert into event (realm_id, seq, type, payload, audience, personal)
    select ${id}, counter.last_seq - ${outgoing.length} + e.at, e.type, e.payload::json,
      e.audience::bigint[], e.personal::json
    from counter, unnest(${types}::text[], ${payloads}::text[], ${audiences}::text[],
      ${personal}::text[]) with ordinality e (type, payload, audience, personal, at)
  )
  select last_seq from counter`;
}
