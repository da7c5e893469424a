import { createClient } from '@bellhop/client';

import { type Checkout, thisCheckout } from './checkout.ts';
import { createDatabase } from './database.ts';
import { temporaryPostgres } from './disk.ts';
import { load, requestBytes } from './load.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { pairedMeasure } from './paired-measure.ts';
import { type PollingReader, startPollingReader, startReaderOf } from './readers/polling-reader.ts';
import type { Person, ServerReady } from './send/serve.ts';
import type { ReferenceReady } from './serve-reference.ts';
import { type Service, startService } from './start-service.ts';

const SENDERS = 16;
const READERS = 3;
const ROUNDS = 5;
const MESSAGES = 4000;

/**
 * 16 senders to one channel, and 3 readers who poll: messages a second that all readers have, beside a
 * bare node:http app that commits the same messages and answers polls from memory. Each has a
 * PostgreSQL of its own with fsync on, because the jobs of one server go on while another is measured.
 */
export async function bench({ against, disk }: BenchOptions): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const database = async () =>
    createDatabase((await temporaryPostgres(stack, disk)).url, 'readers');
  const services = [
    await startServer(stack, thisCheckout, await database()),
    await startReference(stack, await database()),
  ];
  for (const other of against) services.push(await startServer(stack, other, await database()));
  const runs = new Map<ReadService, ReadRun[]>(services.map((service) => [service, []]));
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++)
    for (const service of round % 2 === 0 ? services : services.toReversed())
      runs.get(service)?.push(await service.run());
  const [[, ours] = [], ...references] = runs;
  return references.flatMap(([{ name }, theirs]) => compare(ours ?? [], theirs, name));
}

/** Messages a second that all readers have, and microseconds of the server per message. */
interface ReadRun {
  readonly perSecond: number;
  readonly serverTime: number;
}
interface ReadService {
  readonly name: string;
  readonly run: () => Promise<ReadRun>;
}

function compare(ours: ReadRun[], theirs: ReadRun[], reference_name: string): Measure[] {
  const row = pairedMeasure({
    bench: 'readers',
    reference_name,
    ours: ours.slice(1),
    theirs: theirs.slice(1),
  });
  return [
    row('messages that 3 polling readers have', '1/s', ({ perSecond }) => perSecond),
    row('processor time of the server per message', 'µs', ({ serverTime }) => serverTime),
  ];
}

async function startServer(
  stack: AsyncDisposableStack,
  checkout: Checkout,
  DATABASE_URL: string,
): Promise<ReadService> {
  const people = Array.from({ length: SENDERS + READERS }, (_, n) => `Person ${n}`);
  const service = stack.use(
    await startService<ServerReady>(checkout, 'send/serve.ts', {
      DATABASE_URL,
      BENCH_PEOPLE: JSON.stringify(people),
    }),
  );
  const { url, people: created } = service.ready;
  const [owner] = created;
  if (!owner) throw new Error('The realm has no people');
  const { email, api_key: apiKey } = owner;
  await createClient({ url, email, apiKey }).subscriptions.add({
    subscriptions: [{ name: 'channel 1' }],
    principals: created.map(({ id }) => id as never),
  });
  const readers = [];
  for (const person of created.slice(SENDERS))
    readers.push(stack.use(await startReaderOf(url, person)));
  const requests = created.slice(0, SENDERS).map((sender) => messageFrom(authorizationOf(sender)));
  return readService({ name: checkout.name, service, readers, requests });
}

async function startReference(
  stack: AsyncDisposableStack,
  DATABASE_URL: string,
): Promise<ReadService> {
  const subscribers = Array.from({ length: SENDERS + READERS }, (_, n) => n);
  const service = stack.use(
    await startService<ReferenceReady>(thisCheckout, 'readers/reference.ts', {
      DATABASE_URL,
      BENCH_READERS: JSON.stringify(subscribers),
    }),
  );
  const port = Number(new URL(service.ready.url).port);
  const readers = [];
  for (let n = 0; n < READERS; n++)
    readers.push(
      stack.use(await startPollingReader({ port, headers: '', queue_id: '', last_event_id: 0 })),
    );
  const requests = [messageFrom('')];
  return readService({ name: 'bare node:http, same rows', service, readers, requests });
}

interface ReadServiceOptions {
  readonly name: string;
  readonly service: Service<{ readonly url: string }>;
  readonly readers: readonly PollingReader[];
  readonly requests: readonly Buffer[];
}

function readService({ name, service, readers, requests }: ReadServiceOptions): ReadService {
  let sent = 0;
  const run = async (): Promise<ReadRun> => {
    const before = await service.processorTime();
    const begun = performance.now();
    const { requests: more } = await load({
      port: Number(new URL(service.ready.url).port),
      requests,
      from: sent,
      milliseconds: 0,
      atLeast: MESSAGES,
      connections: SENDERS,
    });
    sent += more;
    await Promise.all(readers.map((reader) => reader.received(sent)));
    const seconds = (performance.now() - begun) / 1000;
    const serverTime = ((await service.processorTime()) - before) / more;
    return { perSecond: more / seconds, serverTime };
  };
  return { name, run };
}

const authorizationOf = ({ email, api_key }: Person) => `Basic ${btoa(`${email}:${api_key}`)}`;

const messageFrom = (authorization: string) =>
  requestBytes({
    path: '/api/v1/messages',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      type: 'channel',
      to: 'channel 1',
      topic: 'release',
      content: 'The migration of the *orders* table is done, please look at build 512.',
    }).toString(),
  });
