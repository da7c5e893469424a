import { randomBytes } from 'node:crypto';

import { type KeyPair, sealing } from '@bellhop/push-crypto';
import { startSimulator } from '@bellhop/push-simulator';

import { newRegistration } from '../support/push-server.ts';
import { thisCheckout } from './checkout.ts';
import { createDatabase, runStatement } from './database.ts';
import { temporaryPostgres } from './disk.ts';
import { load, requestBytes } from './load.ts';
import type { BenchOptions, Measure } from './measure.ts';
import { pairedMeasure } from './paired-measure.ts';
import { type BouncerProcess, startBouncer } from './push/bouncer-process.ts';
import { postgresTime } from './send/processor-time.ts';
import { percentile } from './statistics.ts';
import { openStore, storeAll } from './unseal/bare-store.ts';
import type { UnsealRun } from './unseal/unseal-run.ts';

const ROUNDS = 5;
const BOXES = Number(process.env['BELLHOP_BENCH_BOXES'] ?? 5_000);

/**
 * Devices that chat servers register over HTTP, each with a sealed box of its own, beside bare opens of
 * the same boxes by libsodium in one thread, and opens whose devices are committed.
 */
export async function bench({ against }: BenchOptions): Promise<Measure[]> {
  await using stack = new AsyncDisposableStack();
  const simulator = await startSimulator();
  stack.defer(() => simulator.stop());
  const postgres = await temporaryPostgres(stack);
  const checkouts = [thisCheckout, ...against];
  const measured = [];
  for (const [index, checkout] of checkouts.entries()) {
    const databaseUrl = await createDatabase(postgres.url, `bouncer${index}`);
    const bouncer = await startBouncer(stack, simulator, { databaseUrl, checkout });
    measured.push({ name: checkout.name, bouncer, databaseUrl, runs: [] as UnsealRun[] });
  }
  const storing = await openStore(stack, await createDatabase(postgres.url, 'bare'));
  const bare: UnsealRun[] = [];
  const stored: UnsealRun[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    for (const { bouncer, databaseUrl, runs } of measured) {
      const { requests, boxes } = newRequests(bouncer);
      const run = await register(bouncer, requests, postgres.pid);
      const isFirst = bouncer === measured[0]?.bouncer;
      const storedRun = isFirst
        ? await storeAll(boxes, {
            ...storing,
            keyPair: bouncer.keyPair,
            postmaster: postgres.pid,
          })
        : undefined;
      if (round < 0) {
        // Autovacuum does the same within a minute.
        await runStatement(databaseUrl, 'analyze');
        continue;
      }
      runs.push(run);
      if (!storedRun) continue;
      bare.push(openAll(boxes, bouncer.keyPair));
      stored.push(storedRun);
    }
  }
  const [mine, ...others] = measured;
  const ours = mine?.runs ?? [];
  return [
    ...compare(ours, bare, 'bare opens by libsodium').slice(0, 2),
    ...compare(ours, stored, 'bare opens that commit the same rows').slice(0, 3),
    ...others.flatMap(({ name, runs }) => compare(ours, runs, name)),
  ];
}

function compare(ours: UnsealRun[], theirs: UnsealRun[], reference_name: string): Measure[] {
  const row = pairedMeasure({ bench: 'unseal', reference_name, ours, theirs });
  return [
    row('registrations', '1/s', ({ perSecond }) => perSecond),
    row('processor time of the bouncer', 'µs', ({ bouncerTime }) => bouncerTime),
    row('processor time of PostgreSQL', 'µs', (run) => run.postgresTime),
    row('99th percentile', 'ms', ({ p99 }) => p99),
  ];
}

/** Requests that register new devices, and the boxes in them. */
function newRequests({ server, keyPair }: BouncerProcess) {
  const all = Array.from({ length: BOXES }, () => {
    const device = { token: randomBytes(32).toString('hex'), app_id: 'org.bellhop.phone' };
    return newRegistration(server, { kind: 'apns', device, publicKey: keyPair.publicKey });
  });
  const headers = {
    authorization: server.authorization,
    'content-type': 'application/x-www-form-urlencoded',
  };
  return {
    boxes: all.map((params) => params.encrypted_push_registration),
    requests: all.map((params) => {
      const fields = Object.entries(params).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const body = new URLSearchParams(fields).toString();
      return requestBytes({ path: '/api/v1/remotes/push/e2ee/register', headers, body });
    }),
  };
}

async function register(
  { service }: BouncerProcess,
  requests: readonly Buffer[],
  postmaster: number,
): Promise<UnsealRun> {
  const times = async () => [await service.processorTime(), postgresTime(postmaster)] as const;
  const [bouncerBefore, postgresBefore] = await times();
  const { perSecond, latencies } = await load({
    port: Number(new URL(service.ready.url).port),
    requests,
    from: 0,
    milliseconds: 0,
    atLeast: requests.length,
  });
  const [bouncerAfter, postgresAfter] = await times();
  return {
    perSecond,
    p99: percentile(latencies, 99),
    bouncerTime: (bouncerAfter - bouncerBefore) / latencies.length,
    postgresTime: (postgresAfter - postgresBefore) / latencies.length,
  };
}

function openAll(boxes: readonly string[], keyPair: KeyPair): UnsealRun {
  const before = process.cpuUsage();
  const begun = performance.now();
  for (const box of boxes) sealing.open(box, keyPair);
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(before);
  const bouncerTime = (user + system) / boxes.length;
  return { perSecond: boxes.length / seconds, p99: Number.NaN, bouncerTime, postgresTime: 0 };
}
