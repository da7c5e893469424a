import { temporaryPostgres } from './disk.ts';
import { fillPeople } from './large/fill-people.ts';
import { fillTraffic } from './large/fill-traffic.ts';
import { type FilledServer, startFilledServer } from './large/filled-server.ts';
import type { Measure } from './measure.ts';
import { timedPairs } from './timed-pairs.ts';

/** The number of people; a tenth as many channels. */
const SIZES = [200, 2000, 20_000];
const TENTH_DAY = 10;

/**
 * Calls in one realm of 200, 2,000 and 20,000 people on its first day, beside the smallest of them, and in
 * the largest on its tenth day, beside its first. The person who calls is subscribed to all channels.
 */
export async function bench(): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const postgres = await temporaryPostgres(stack);
  const start = (people: number, days: number) =>
    startFilledServer(stack, {
      postgres,
      name: `realm_${people}_${days}`,
      fill: async (db, reader) => {
        const size = { people, channels: people / 10 };
        await fillPeople(db, reader, size);
        await fillTraffic(db, { ...size, days });
      },
    });
  const [smallest = 0, ...larger] = SIZES;
  const small = await start(smallest, 1);
  const measures: Measure[] = [];
  let largest = small;
  for (const size of larger) {
    largest = await start(size, 1);
    for (const call of calls) {
      const measure = await pair({ ours: largest, theirs: small, call }, [
        `${call.name}, ${named(size)}`,
        named(smallest),
      ]);
      const curve = { name: call.name, axis: 'people', at: size, referenceAt: smallest };
      measures.push({ ...measure, curve });
    }
  }
  const old = await start(SIZES.at(-1) ?? 0, TENTH_DAY);
  for (const call of calls)
    measures.push(
      await pair({ ours: old, theirs: largest, call }, [
        `${call.name}, ${named(SIZES.at(-1) ?? 0)}, ${TENTH_DAY}th day`,
        'first day',
      ]),
    );
  return [...measures, ...(await sizes(old))];
}

/** What a message takes on disk, with indexes, beside its text. */
async function sizes({ db }: FilledServer): Promise<Measure[]> {
  const { rows } = await db.query<Record<'message' | 'text', number>>(
    `select pg_total_relation_size('message')::float / count(*) as message,
       avg(octet_length(content))::float as text from message`,
  );
  const [found] = rows;
  if (!found) throw new Error('There are no messages');
  const { message, text } = found;
  return [
    {
      bench: 'realm',
      measure: 'a message on disk',
      unit: 'B',
      ours: message,
      reference: text,
      reference_name: 'text of a message',
      ratio: message / text,
      runs: 1,
    },
  ];
}

const named = (people: number) => `${people.toLocaleString('en')} people`;

interface Call {
  readonly name: string;
  readonly ask: (server: FilledServer) => Promise<unknown>;
}

const ofAll = (): Record<string, string> => ({ type: 'channel', to: 'channel 1', topic: 'plans' });
const calls: readonly Call[] = [
  { name: 'register', ask: ({ ask }) => ask('POST /register') },
  {
    name: 'message to everybody',
    ask: ({ ask }) => ask('POST /messages', { ...ofAll(), content: 'The build is ready.' }),
  },
  {
    name: 'message to 100 people',
    ask: ({ ask }) =>
      ask('POST /messages', { ...ofAll(), to: 'channel 20', content: 'The build is ready.' }),
  },
  {
    name: 'typing to everybody',
    ask: ({ ask }) =>
      ask('POST /typing', { type: 'channel', op: 'start', stream_id: '1', topic: 'plans' }),
  },
  {
    name: 'own presence, and that of all',
    ask: ({ ask }) => ask('POST /users/me/presence', { status: 'active', slim_presence: 'true' }),
  },
  { name: 'list of people', ask: ({ ask }) => ask('GET /users') },
  {
    name: 'newest 100 messages',
    ask: ({ ask }) => ask('GET /messages', { anchor: 'newest', num_before: '100', num_after: '0' }),
  },
];

const pair = (
  { ours, theirs, call }: { ours: FilledServer; theirs: FilledServer; call: Call },
  [measure, reference_name]: readonly [string, string],
): Promise<Measure> =>
  timedPairs({
    bench: 'realm',
    measure,
    reference_name,
    ours: () => call.ask(ours),
    theirs: () => call.ask(theirs),
  });
