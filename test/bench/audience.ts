import { type Checkout, thisCheckout } from './checkout.ts';
import { temporaryPostgres } from './disk.ts';
import { fillAudience } from './large/fill-audience.ts';
import { type FilledServer, startFilledServer } from './large/filled-server.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { pairedMeasure } from './paired-measure.ts';
import { postgresTime } from './send/processor-time.ts';

/** People in the realm, who are all subscribed to its channel. */
const SIZES = [10, 100, 1000, 10_000, 50_000];
const WARM_UP = 5;
const ROUNDS = 20;

/**
 * Calls that many people get to know of, beside the same where ten do: time, processor time of PostgreSQL and
 * what is written to its log. Beside the other checkouts, if asked for, and beside a bare INSERT of the message.
 */
export async function bench({ against }: BenchOptions): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const postgres = await temporaryPostgres(stack);
  const postmaster = postgres.pid;
  const measures: Measure[] = [];
  const ours = new Map<string, readonly Cost[]>();
  for (const checkout of [thisCheckout, ...against])
    for (const people of SIZES) {
      await using running = new AsyncDisposableStack();
      const server = await start(running, { postgres, checkout, people });
      for (const call of calls) {
        const costs = await measure(server, postmaster, call);
        if (checkout === thisCheckout) ours.set(`${call.name} ${people}`, costs);
        const beside = checkout === thisCheckout ? ours.get(`${call.name} ${SIZES[0]}`) : costs;
        const name = checkout === thisCheckout ? `${SIZES[0]} people` : checkout.name;
        const own = ours.get(`${call.name} ${people}`);
        if (own && beside && own !== beside)
          measures.push(
            ...rows(`${call.name}, ${people.toLocaleString('en')} people`, name, own, beside),
          );
      }
      if (checkout === thisCheckout) {
        const bare = await measure(server, postmaster, bareInsert);
        const own = ours.get(`${calls[0]?.name} ${people}`) ?? [];
        measures.push(
          ...rows(`message, ${people.toLocaleString('en')} people`, 'bare INSERT', own, bare),
        );
      }
    }
  return measures;
}

interface Cost {
  readonly ms: number;
  /** Processor time of PostgreSQL in milliseconds: the mean. */
  readonly postgres: number;
  /** Bytes of its log. */
  readonly wal: number;
}

function rows(
  name: string,
  reference_name: string,
  ours: readonly Cost[],
  theirs: readonly Cost[],
) {
  const row = pairedMeasure({ bench: 'audience', reference_name, ours, theirs });
  return [
    row(`${name}: time`, 'ms', ({ ms }) => ms),
    row(`${name}: PostgreSQL`, 'ms', ({ postgres }) => postgres),
    row(`${name}: log`, 'kB', ({ wal }) => wal / 1000),
  ];
}

interface Started {
  readonly postgres: Awaited<ReturnType<typeof temporaryPostgres>>;
  readonly checkout: Checkout;
  readonly people: number;
}

const start = (stack: AsyncDisposableStack, { postgres, checkout, people }: Started) =>
  startFilledServer(stack, {
    postgres,
    name: `audience_${checkout.name.replaceAll(/\W/g, '_')}_${people}`,
    checkout,
    fill: (db, reader) => fillAudience(db, reader, people),
  });

interface Call {
  readonly name: string;
  readonly ask: (server: FilledServer, round: number) => Promise<unknown>;
  /** Before each call, not measured. */
  readonly prepare?: (server: FilledServer) => Promise<unknown>;
}

const place = { type: 'channel', to: 'everybody', topic: 'plans' };
const calls: readonly Call[] = [
  {
    name: 'message',
    ask: ({ ask }) => ask('POST /messages', { ...place, content: 'The build is ready.' }),
  },
  {
    name: 'message with @all',
    ask: ({ ask }) => ask('POST /messages', { ...place, content: '@**all** The build is ready.' }),
  },
  {
    name: 'setting of the realm',
    ask: ({ ask }, round) => ask('PATCH /realm', { description: `Number ${round}` }),
  },
  {
    name: 'own name',
    ask: ({ ask }, round) => ask('PATCH /settings', { full_name: `Reader ${round}` }),
  },
  {
    name: 'typing',
    ask: ({ ask }) =>
      ask('POST /typing', { type: 'channel', op: 'start', stream_id: '1', topic: 'plans' }),
  },
  {
    name: 'reading everything',
    prepare: ({ ask }) => ask('POST /messages', { ...place, content: 'The build is ready.' }),
    ask: ({ ask }) => ask('POST /mark_all_as_read'),
  },
];
const bareInsert: Call = {
  name: 'bare INSERT',
  ask: ({ db, reader }) =>
    db.query(
      `insert into message (realm_id, sender_id, recipient_id, channel_id, topic, content,
         rendered_content, sent_at, client)
       select 1, $1, id, channel_id, 'plans', 'The build is ready.', '<p>The build is ready.</p>',
         extract(epoch from now())::bigint, 'bench' from recipient where channel_id = 1`,
      [reader.id],
    ),
};

/** Times a call on a connection of its own, one after the other. */
async function measure(server: FilledServer, postmaster: number, call: Call): Promise<Cost[]> {
  const position = async () => {
    const { rows: found } = await server.db.query<{ at: string }>(
      `select pg_current_wal_insert_lsn() - '0/0' as at`,
    );
    return Number(found[0]?.at);
  };
  const costs: Omit<Cost, 'postgres'>[] = [];
  // Its clock is too coarse for one call.
  let postgres = 0;
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    await call.prepare?.(server);
    const before = { wal: await position(), postgres: postgresTime(postmaster) };
    const begun = performance.now();
    await call.ask(server, round);
    const ms = performance.now() - begun;
    const wal = (await position()) - before.wal;
    if (round < WARM_UP) continue;
    postgres += (postgresTime(postmaster) - before.postgres) / 1000;
    costs.push({ ms, wal });
  }
  return costs.map((cost) => ({ ...cost, postgres: postgres / ROUNDS }));
}
