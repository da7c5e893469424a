import { join } from 'node:path';

import type { PostgresServer } from '@bellhop/postgres';
import { createTlsIdentity, startSimulator } from '@bellhop/push-simulator';

import { type PhoneKind, type PushPhone, registerPhone } from '../support/push-server.ts';
import type { Checkout } from './checkout.ts';
import { createDatabase } from './database.ts';
import { temporaryPostgres } from './disk.ts';
import { forkChild } from './fork-child.ts';
import { installPeers } from './install-peers.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { pairedMeasure } from './paired-measure.ts';
import {
  type BouncerProcess,
  bouncerVariables,
  type Providers,
  startBouncer,
} from './push/bouncer-process.ts';
import type { SendOrder, SendReport } from './push/child-send.ts';
import { ENCRYPTED, type NotifyRun, NotifySender, SMALL_BATCH } from './push/notify-sender.ts';
import type { LibraryTarget } from './push/push-library.ts';
import { bundleService, residentMegabytes, startTimes } from './start-times.ts';
import { median, percentile } from './statistics.ts';

const ROUNDS = 5;
const SMALL_ROUNDS = 3;
/** Notifications of one run. */
const COUNT = Number(process.env['BELLHOP_BENCH_PUSHES'] ?? 10_000);
const PHONES = 500;
const LIBRARY_CONCURRENCY = 200;
/** A round of latencies lasts so long, at half of the rate that the bouncer has reached with such requests. */
const PACED_SECONDS = Math.min(10, COUNT / 500);
const MEMORY_AFTER = 200_000;

/**
 * Durable notifications through the bouncer to a provider that accepts everything, beside a bare
 * node:http2 client with the same bytes and the libraries that chat servers use.
 */
export async function bench({ against: [against] }: BenchOptions): Promise<Measure[]> {
  installPeers();
  await using stack = new AsyncDisposableStack();
  const postgres = await temporaryPostgres(stack);
  const providers = await startProvider(stack);
  const databaseUrl = await createDatabase(postgres.url, 'bouncer');
  const bouncer = await startBouncer(stack, providers, { databaseUrl });
  const phones = await registerPhones(bouncer);
  const sender = new NotifySender(bouncer, phones, postgres.pid);
  const before: Before | undefined = against && {
    name: against.name,
    sender: await startBefore(stack, { checkout: against, providers, postgres }),
    runs: { apns: [], fcm: [] },
  };
  const target: LibraryTarget = {
    url: providers.apns_url,
    ...providers,
    ...providers.credentials,
  };
  const libraries = [];
  for (const { name, file, kind } of libraryFiles) {
    const args = [file, JSON.stringify(target)];
    const child = stack.use(
      await forkChild(join(import.meta.dirname, 'push/child-send.ts'), { args }),
    );
    const send = async ({ count = COUNT, ...order }: LibraryOrder) => {
      const notifications = notificationsTo(phones, kind, count);
      return (await child.ask({ ...order, notifications })) as SendReport;
    };
    libraries.push({ name, kind, send, runs: [] as NotifyRun[] });
  }

  const ours: Record<PhoneKind, NotifyRun[]> = { apns: [], fcm: [] };
  let sent = 0;
  const quarters: Quarter[] = [];
  const send = async (kind: PhoneKind) => {
    const run = await sender.send(kind, COUNT);
    sent += COUNT;
    if (sent % (MEMORY_AFTER / 4) === 0) quarters.push({ sent, ...(await memoryOf(bouncer)) });
    return run;
  };
  for (let round = -1; round < ROUNDS; round++) {
    for (const kind of ['apns', 'fcm'] as const) {
      // In turns: whoever comes first finds the provider as the libraries have left it.
      const first = round % 2 === 0 ? undefined : await before?.sender.send(kind, COUNT);
      const run = await send(kind);
      const earlier = first ?? (await before?.sender.send(kind, COUNT));
      if (round < 0) continue;
      ours[kind].push(run);
      if (earlier) before?.runs[kind].push(earlier);
    }
    for (const { send: sendAll, runs } of libraries) {
      const report = await sendAll({ concurrency: LIBRARY_CONCURRENCY });
      if (round >= 0) runs.push(runOf(report));
    }
  }
  const [bare] = libraries;
  if (!bare) throw new Error('The bare client comes first');
  const small: NotifyRun[] = [];
  for (let round = 0; round < SMALL_ROUNDS; round++)
    small.push(await sender.send('apns', COUNT, SMALL_BATCH));
  const perSecond = Math.round(median(small.map((run) => run.perSecond)) / 2);
  const count = perSecond * PACED_SECONDS;
  const paced: Record<'ours' | 'theirs', (readonly number[])[]> = { ours: [], theirs: [] };
  for (let round = 0; round < ROUNDS; round++) {
    paced.ours.push(await sender.paced('apns', count, perSecond));
    const order = { concurrency: LIBRARY_CONCURRENCY, perSecond, count };
    paced.theirs.push((await bare.send(order)).latencies);
  }
  while (sent < MEMORY_AFTER && COUNT >= 10_000) await send('apns');
  const variables = {
    ...bouncerVariables(providers, bouncer.keyPair),
    BELLHOP_BOUNCER_DATABASE_URL: databaseUrl,
    BELLHOP_BOUNCER_PORT: '0',
  };
  const start = { service: 'bouncer', rounds: ROUNDS, env: variables } as const;
  const starts = [
    {
      of: 'bundled',
      ...(await startTimes({ ...start, folder: await bundleService(stack, 'bouncer') })),
    },
    { of: 'from the sources', ...(await startTimes(start)) },
  ];

  return [
    ...libraries.flatMap(({ name, kind, runs }) => compare(ours[kind], runs, { name, kind })),
    ...(before ? compareWith(before, ours) : []),
    ...[50, 99].map((rank) =>
      pairedMeasure({ bench: 'notify', reference_name: bare.name, ...paced })(
        `latency of ${SMALL_BATCH} at half their rate, ${perSecond}/s: percentile ${rank}`,
        'ms',
        (latencies) => percentile(latencies, rank),
      ),
    ),
    ...quarters
      .slice(1)
      .flatMap((quarter) => [
        memoryRow('in use', 'inUse', { quarter, first: quarters[0] }),
        memoryRow('resident', 'resident', { quarter, first: quarters[0] }),
      ]),
    ...starts.flatMap(({ of, seconds, atRest }) => [
      row(`memory at rest, ${of}`, 'MB', {
        ours: atRest,
        reference: 100,
        reference_name: 'the aim',
      }),
      row(`start until ready on used data, ${of}`, 's', {
        ours: median(seconds),
        reference: 1,
        reference_name: 'the aim',
      }),
    ]),
  ];
}

/** The bouncer of another checkout. */
interface Before {
  readonly name: string;
  readonly sender: NotifySender;
  readonly runs: Record<PhoneKind, NotifyRun[]>;
}

async function startBefore(
  stack: AsyncDisposableStack,
  {
    checkout,
    providers,
    postgres,
  }: {
    readonly checkout: Checkout;
    readonly providers: Providers;
    readonly postgres: Pick<PostgresServer, 'url' | 'pid'>;
  },
): Promise<NotifySender> {
  const databaseUrl = await createDatabase(postgres.url, 'against');
  const bouncer = await startBouncer(stack, providers, { databaseUrl, checkout });
  return new NotifySender(bouncer, await registerPhones(bouncer), postgres.pid);
}

async function registerPhones({ url, server, keyPair }: BouncerProcess): Promise<PushPhone[]> {
  const phones: PushPhone[] = [];
  for (let index = 0; index < PHONES; index++) {
    const kind = index % 2 === 0 ? 'apns' : 'fcm';
    const device = { token: newToken(index), app_id: 'org.bellhop.phone' };
    const { publicKey } = keyPair;
    phones.push(await registerPhone(url, server, { kind, device, publicKey }));
  }
  return phones;
}

const compareWith = ({ name, runs }: Before, ours: Before['runs']): Measure[] =>
  (['apns', 'fcm'] as const).flatMap((kind) => [
    ...compare(ours[kind], runs[kind], { name, kind }),
    pairedMeasure({ bench: 'notify', reference_name: name, ours: ours[kind], theirs: runs[kind] })(
      `processor time of PostgreSQL, ${kind}`,
      'µs',
      ({ postgresTime }) => postgresTime,
    ),
  ]);

/** Memory in megabytes: resident under load, in use after a garbage collection. */
interface Quarter {
  readonly sent: number;
  readonly inUse: number;
  readonly resident: number;
}

async function memoryOf({ service }: BouncerProcess): Promise<Omit<Quarter, 'sent'>> {
  const resident = residentMegabytes(service.ready.pid);
  return { resident, inUse: await service.memoryInUse() };
}

const memoryRow = (
  what: string,
  of: 'inUse' | 'resident',
  { quarter, first = quarter }: { readonly quarter: Quarter; readonly first: Quarter | undefined },
): Measure =>
  row(`memory ${what} after ${quarter.sent} notifications`, 'MB', {
    ours: quarter[of],
    reference: first[of],
    reference_name: `after ${first.sent}`,
  });

const libraryFiles = [
  { name: 'bare node:http2', file: 'push/bare-http2', kind: 'apns' },
  { name: '@parse/node-apn', file: 'peers/node-apn', kind: 'apns' },
  { name: 'firebase-admin', file: 'peers/firebase-admin', kind: 'fcm' },
] as const;

/** A provider that accepts everything, under the credentials of a simulator. */
async function startProvider(stack: AsyncDisposableStack) {
  await using simulator = new AsyncDisposableStack();
  const simulated = await startSimulator();
  simulator.defer(() => simulated.stop());
  const { apns, fcm } = simulated.credentials;
  const identity = await createTlsIdentity();
  const child = stack.use(
    await forkChild<string>(join(import.meta.dirname, 'push/child-provider.ts'), {
      args: [JSON.stringify(identity)],
    }),
  );
  const url = child.ready;
  const credentials = { apns, fcm: { ...fcm, token_uri: `${url}/token` } };
  return { apns_url: url, fcm_url: url, ca: identity.ca, credentials };
}

const newToken = (index: number): string => index.toString(16).padStart(64, '0');

interface LibraryOrder extends Omit<SendOrder, 'notifications'> {
  /** Default: COUNT. */
  readonly count?: number;
}

const notificationsTo = (
  phones: readonly { readonly kind: PushPhone['kind']; readonly token: string }[],
  kind: PhoneKind,
  count: number,
): SendOrder['notifications'] => {
  const own = phones.filter((phone) => phone.kind === kind);
  return Array.from({ length: count }, (_, index) => ({
    token: own[index % own.length]?.token ?? '',
    text: ENCRYPTED,
  }));
};

function runOf({ results, milliseconds, microseconds }: SendReport): NotifyRun {
  const failed = results.filter((result) => result !== 'accepted').length;
  if (failed > 0) throw new Error(`${failed} of ${results.length} notifications were not accepted`);
  return {
    perSecond: (results.length / milliseconds) * 1_000,
    processorTime: microseconds / results.length,
    postgresTime: Number.NaN,
  };
}

function compare(
  ours: NotifyRun[],
  theirs: NotifyRun[],
  { name, kind }: { name: string; kind: PhoneKind },
): Measure[] {
  const paired = pairedMeasure({ bench: 'notify', reference_name: name, ours, theirs });
  return [
    paired(`durable notifications, ${kind}`, '1/s', ({ perSecond }) => perSecond),
    paired(`per second of the processor, ${kind}`, '1/s', (run) => 1e6 / run.processorTime),
  ];
}

const row = (
  measure: string,
  unit: string,
  { ours, reference, reference_name }: Pick<Measure, 'ours' | 'reference' | 'reference_name'>,
): Measure => ({
  bench: 'notify',
  measure,
  unit,
  ours,
  reference,
  reference_name,
  ratio: ours / reference,
  runs: 1,
});
