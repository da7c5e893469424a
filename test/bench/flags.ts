import { temporaryPostgres } from './disk.ts';
import { fillMessages } from './large/fill-messages.ts';
import { startFilledServer } from './large/filled-server.ts';
import type { Measure } from './measure.ts';
import { timedPairs } from './timed-pairs.ts';

/** Messages in one request. */
const BATCH = 5000;
/** Enough unread messages for every round of both sides. */
const VOLUME = { messages: 250_000, unread: 200_000, direct: 25_000 };

/**
 * 5,000 messages marked as read by a narrow, and 5,000 collapsed by their IDs, beside the bare INSERT of
 * as many other rows of the same table on a connection of its own, with fsync on.
 */
export async function bench(): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const postgres = await temporaryPostgres(stack);
  const { ask, db, reader } = await startFilledServer(stack, {
    postgres,
    name: 'messages',
    fill: (client, id) => fillMessages(client, id, VOLUME),
  });
  /** Somebody else, without rows. */
  const bare = reader.id + 1;
  const narrowed = await timedPairs({
    bench: 'flags',
    measure: `${BATCH} marked as read by the narrow is:unread`,
    reference_name: 'bare INSERT',
    ours: () =>
      ask('POST /messages/flags/narrow', {
        narrow: JSON.stringify([['is', 'unread']]),
        anchor: 'oldest',
        num_before: '0',
        num_after: String(BATCH),
        op: 'add',
        flag: 'read',
      }),
    theirs: () =>
      db.query(
        `insert into user_message (realm_id, user_id, message_id, flags)
         select 1, $1, id, 1 from message where realm_id = 1 and id > (
           select coalesce(max(message_id), 0) from user_message where realm_id = 1 and user_id = $1)
         order by id limit $2`,
        [bare, BATCH],
      ),
  });
  let last = VOLUME.messages;
  const nextIds = () => {
    last -= BATCH;
    return Array.from({ length: BATCH }, (_, at) => last + at + 1);
  };
  const listed = await timedPairs({
    bench: 'flags',
    measure: `${BATCH} collapsed by ID`,
    reference_name: 'bare INSERT',
    ours: () =>
      ask('POST /messages/flags', {
        messages: JSON.stringify(nextIds()),
        op: 'add',
        flag: 'collapsed',
      }),
    theirs: () =>
      db.query(
        `insert into user_message (realm_id, user_id, message_id, flags)
         select 1, $1, id, 5 from message where realm_id = 1 and id = any($2)
         on conflict (realm_id, user_id, message_id) do update set flags = user_message.flags | 4`,
        [bare, nextIds()],
      ),
  });
  return [narrowed, listed].map(perSecond);
}

/** Milliseconds of a batch as messages per second. */
const perSecond = (timed: Measure): Measure => ({
  ...timed,
  unit: '1/s',
  ours: (BATCH / timed.ours) * 1000,
  reference: (BATCH / timed.reference) * 1000,
  ratio: 1 / timed.ratio,
});
