import { temporaryPostgres } from './disk.ts';
import { fillMessages } from './large/fill-messages.ts';
import { fillPeople } from './large/fill-people.ts';
import { fillUnread, type Reading } from './large/fill-unread.ts';
import { type FilledServer, startFilledServer } from './large/filled-server.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { timedPairs } from './timed-pairs.ts';

/**
 * POST /register beside the bare queries for the content of the answer, on a connection of their
 * own, and JSON.stringify: a realm of 1 million messages, and one of 10,000 users and 1,000
 * channels. Beside the server of the other checkout, if asked for. And what people have of whom most is to be
 * said, with 50,000 unread messages shown, beside somebody who has read up to a point.
 */
export async function bench({ against: [against] }: BenchOptions): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const postgres = await temporaryPostgres(stack);
  const start = async (name: string, fill: Fill): Promise<Servers> => ({
    ours: await startFilledServer(stack, { postgres, name, fill }),
    ...(against && {
      other: {
        name: against.name,
        ask: (
          await startFilledServer(stack, {
            postgres,
            name: `${name}_against`,
            fill,
            checkout: against,
          })
        ).ask,
      },
    }),
  });
  const people = await start('people', (db, reader) => fillPeople(db, reader));
  const measures: Measure[] = [];
  for (const [section, queries] of peopleSections)
    measures.push(
      ...(await pairs(people, {
        measure: `${section}, 10,000 users, 1,000 channels`,
        fields: { fetch_event_types: JSON.stringify([section]) },
        queries,
      })),
    );
  const volume = { messages: 1_000_000, unread: 50_000, direct: 100_000 };
  const messages = await start('messages', (db, reader) => fillMessages(db, reader, volume));
  measures.push(
    ...(await pairs(messages, {
      measure: 'everything, 1,000,000 messages, 50,000 unread, 100,000 direct',
      fields: {},
      queries: messageQueries,
    })),
  );
  const reads = (name: string, reading: Reading) =>
    startFilledServer(stack, {
      postgres,
      name,
      fill: (db, reader) => fillUnread(db, reader, reading),
    });
  const reference = await reads('half', 'older half');
  for (const [name, reading] of [
    ['topics', 'every other topic'],
    ['nothing', 'nothing'],
  ] as const) {
    const server = await reads(name, reading);
    for (const [call, route, fields] of unreadCalls)
      measures.push(
        await timedPairs({
          bench: 'register',
          measure: `${call}, of 100,000 messages read: ${reading}`,
          reference_name: 'older half',
          ours: () => server.ask(route, fields),
          theirs: () => reference.ask(route, fields),
        }),
      );
  }
  return measures;
}

const ofUnread = (fields: Record<string, string>) => ({
  narrow: JSON.stringify([{ operator: 'is', operand: 'unread' }]),
  ...fields,
});
const unreadCalls = [
  ['everything', 'POST /register', {}],
  [
    'newest page of is:unread',
    'GET /messages',
    ofUnread({ anchor: 'newest', num_before: '100', num_after: '0' }),
  ],
  [
    'page of is:unread around the first',
    'GET /messages',
    ofUnread({ anchor: 'first_unread', num_before: '50', num_after: '50' }),
  ],
] as const;

interface Registration {
  readonly measure: string;
  readonly fields: Record<string, string>;
  /** With the reader as $1. */
  readonly queries: readonly string[];
}

type Fill = Parameters<typeof startFilledServer>[1]['fill'];
interface Servers {
  readonly ours: FilledServer;
  /** That of the other checkout. */
  readonly other?: Pick<FilledServer, 'ask'> & { readonly name: string };
}

async function pairs(
  { ours: { reader, db, ask }, other }: Servers,
  { measure, fields, queries }: Registration,
): Promise<Measure[]> {
  const pair = (reference_name: string, theirs: () => Promise<unknown>) =>
    timedPairs({
      bench: 'register',
      measure,
      reference_name,
      ours: () => ask('POST /register', fields),
      theirs,
    });
  const bare = await pair('bare queries, JSON.stringify', async () => {
    const found = [];
    for (const text of queries)
      found.push((await db.query(text, text.includes('$1') ? [reader.id] : [])).rows);
    return JSON.stringify(found);
  });
  return other ? [bare, await pair(other.name, () => other.ask('POST /register', fields))] : [bare];
}

const subscribers = `select channel_id, count(*) from subscription
  where realm_id = 1 and is_active group by channel_id`;
const peopleSections: readonly [section: string, queries: readonly string[]][] = [
  ['stream', ['select * from channel where realm_id = 1', subscribers]],
  [
    'subscription',
    [
      'select * from channel where realm_id = 1',
      'select * from subscription where realm_id = 1 and user_id = $1',
      subscribers,
    ],
  ],
  [
    'realm_user',
    [
      `select id as user_id, delivery_email, delivery_email as email, full_name, role, is_active, is_bot,
         timezone, avatar_source, avatar_version, date_joined::text
       from realm_user where realm_id = 1 order by id`,
    ],
  ],
];

const messageQueries = [
  `select um.message_id, m.sender_id, m.recipient_id, m.channel_id, m.topic, um.flags
   from user_message um join message m on m.realm_id = um.realm_id and m.id = um.message_id
   where um.realm_id = 1 and um.user_id = $1 and um.flags & 1 = 0
   order by um.message_id desc limit 50000`,
  `select m.id, m.sender_id, m.recipient_id, m.channel_id, m.topic
   from subscription s join message m on m.realm_id = s.realm_id and m.channel_id = s.channel_id
     and m.id > s.read_through
   where s.realm_id = 1 and s.user_id = $1 order by m.id desc limit 50000`,
  `select message_id from user_message
   where realm_id = 1 and user_id = $1 and flags & 250 <> 0 and flags & 2 <> 0`,
  `select r.user_ids, (select max(m.id) from message m
     where m.realm_id = r.realm_id and m.recipient_id = r.id)
   from recipient r where r.realm_id = 1 and r.user_ids @> array[$1::bigint]`,
  `select channel_id, count(*) from message where realm_id = 1
     and sent_at > (extract(epoch from now()) - 28 * 86400)::bigint and channel_id is not null group by channel_id`,
  'select * from realm_user where realm_id = 1',
  'select * from channel where realm_id = 1',
  'select * from subscription where realm_id = 1 and user_id = $1',
  subscribers,
];
