import { temporaryPostgres } from './disk.ts';
import { fillMessages } from './large/fill-messages.ts';
import { startFilledServer } from './large/filled-server.ts';
import type { Measure } from './measure.ts';
import { timedPairs } from './timed-pairs.ts';

const LARGE = 1_000_000;
const SMALL = 10_000;

/** GET /messages in a realm of 1 million messages, beside the same request in one of 10,000. */
export async function bench(): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const postgres = await temporaryPostgres(stack);
  const serverOf = (messages: number) =>
    startFilledServer(stack, {
      postgres,
      name: `messages_${messages}`,
      fill: (db, reader) =>
        fillMessages(db, reader, { messages, direct: messages / 10, unread: messages / 20 }),
    });
  const large = await serverOf(LARGE);
  const small = await serverOf(SMALL);
  const measures = [];
  for (const [measure, fieldsOf] of requests)
    measures.push(
      await timedPairs({
        bench: 'fetch',
        measure,
        reference_name: '10,000 messages',
        ours: () => large.ask('GET /messages', fieldsOf(LARGE)),
        theirs: () => small.ask('GET /messages', fieldsOf(SMALL)),
      }),
    );
  return measures;
}

const inTopic = JSON.stringify([
  { operator: 'channel', operand: 'channel 7' },
  { operator: 'topic', operand: 'topic 7' },
]);
const searchFor = (operand: string) => JSON.stringify([{ operator: 'search', operand }]);
const page = { num_before: '25', num_after: '25' };

/** By name, the fields for a realm with this many messages. The pages of both realms are as long. */
const requests: readonly [string, (messages: number) => Record<string, string>][] = [
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
];
