import type { Client } from 'pg';

import { temporaryPostgres } from './disk.ts';
import { fillMessages } from './large/fill-messages.ts';
import { startFilledServer } from './large/filled-server.ts';
import type { Measure } from './measure.ts';
import { timedPairs } from './timed-pairs.ts';

const LARGE = 1_000_000;
const SMALL = 10_000;

/** Reads in a realm of 1 million messages, each beside the same request in one of 10,000. */
export async function bench(): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const postgres = await temporaryPostgres(stack);
  const serverOf = (messages: number) =>
    startFilledServer(stack, {
      postgres,
      name: `messages_${messages}`,
      fill: async (db, reader) => {
        await fillMessages(db, reader, { messages, direct: messages / 10, unread: messages / 20 });
        await fillFile(db, reader);
      },
    });
  const large = await serverOf(LARGE);
  const small = await serverOf(SMALL);
  const measures = [];
  for (const [measure, fieldsOf, route = 'GET /messages'] of requests)
    measures.push(
      await timedPairs({
        bench: 'fetch',
        measure,
        reference_name: '10,000 messages',
        ours: () => large.ask(route, fieldsOf(LARGE)),
        theirs: () => small.ask(route, fieldsOf(SMALL)),
      }),
    );
  return measures;
}

/** A file of somebody else, linked by three messages. */
const file = { token: 'bench-file-0123456789', name: 'notes.txt' };

async function fillFile(db: Client, reader: number): Promise<void> {
  await db.query(
    `with file as (
       insert into upload (realm_id, owner_id, token, file_name, name, type, is_complete, created_at)
       select 1, max(id), $2, $3, $3, 'text/plain', true, 0 from realm_user where id <> $1 returning id)
     insert into upload_message (realm_id, upload_id, message_id)
     select 1, file.id, m.id from file, (
       select id from message where channel_id is not null order by id limit 3) m`,
    [reader, file.token, file.name],
  );
}

const inTopic = JSON.stringify([
  { operator: 'channel', operand: 'channel 7' },
  { operator: 'topic', operand: 'topic 7' },
]);
const searchFor = (operand: string) => JSON.stringify([{ operator: 'search', operand }]);
const page = { num_before: '25', num_after: '25' };

/** By name, the fields for a realm with this many messages. The pages of both realms are as long. */
const requests: readonly [string, (messages: number) => Record<string, string>, route?: string][] =
  [
    ['address of somebody’s file', () => ({}), `GET /user_uploads/1/${file.token}/${file.name}`],
    ['newest', () => ({ anchor: 'newest', num_before: '50', num_after: '0' })],
    ['first_unread in a topic', () => ({ anchor: 'first_unread', narrow: inTopic, ...page })],
    [
      'search for a word of each 20th message, before an old anchor',
      (messages) => ({
        anchor: String(messages / 5),
        num_before: '50',
        num_after: '0',
        narrow: searchFor('dashboard'),
      }),
    ],
    [
      'search for a word of each 1000th message, before an old anchor',
      (messages) => ({
        anchor: String(messages / 5),
        num_before: '50',
        num_after: '0',
        // Too few messages of the small realm have the rare word to fill its page.
        narrow: searchFor(messages === LARGE ? '777' : 'dashboard'),
      }),
    ],
    [
      'search for a word of 2,500 old messages, before an old anchor',
      (messages) => ({
        anchor: String(messages / 4),
        num_before: '50',
        num_after: '0',
        // As above: 25 of the small realm have it.
        narrow: searchFor(messages === LARGE ? 'archive' : 'dashboard'),
      }),
    ],
  ];
