import { setTimeout as sleep } from 'node:timers/promises';

import { type PushSimulator, startSimulator } from '@bellhop/push-simulator';

import { type PhoneKind, phoneKinds } from '../support/push-server.ts';
import { createDatabase } from './database.ts';
import { temporaryPostgres } from './disk.ts';
import { installPeers } from './install-peers.ts';
import type { Measure } from './measure.ts';
import { type BurstSender, burstSenders } from './push/burst-senders.ts';
import { type FaultCase, faultCases } from './push/fault-cases.ts';
import { startRelay } from './push/relay.ts';

const BURST = 50;
const REFUSED_MS = 2_000;
/**
 * The time in which a sender with a queue must deliver the notifications that it could not deliver
 * at once.
 */
const QUEUE_WITHIN_MS = 90_000;

/** The outcomes of a burst of notifications to live phones. */
interface BurstResult {
  readonly lost: number;
  readonly doubled: number;
  readonly calledDead: number;
  readonly seconds: number;
}

/**
 * Bursts through the bouncer and through the libraries that chat servers use, while a provider fails.
 * Prints a table of the lost and the doubled notifications; there is no ratio to measure.
 */
export async function bench(): Promise<Measure[]> {
  installPeers();
  await using stack = new AsyncDisposableStack();
  const simulator = await startSimulator();
  stack.defer(() => simulator.stop());
  const postgres = await temporaryPostgres(stack);
  let databases = 0;
  const newDatabase = () => createDatabase(postgres.url, `bench${databases++}`);
  const rows: Record<string, string>[] = [];
  for (const kind of phoneKinds)
    for (const faultCase of faultCases) {
      const row: Record<string, string> = { provider: kind, fault: faultCase.name };
      for (const sender of burstSenders)
        row[sender.name] = sender.kinds.includes(kind)
          ? textOf(await runBurst(simulator, { kind, faultCase, sender, newDatabase }))
          : '';
      rows.push(row);
    }
  console.table(rows);
  return [];
}

interface Burst {
  readonly kind: PhoneKind;
  readonly faultCase: FaultCase;
  readonly sender: BurstSender;
  readonly newDatabase: () => Promise<string>;
}

/** Each burst has phones and a sender of its own, on a connection that has served one notification. */
async function runBurst(
  simulator: PushSimulator,
  { kind, faultCase, sender, newDatabase }: Burst,
): Promise<BurstResult> {
  await using stack = new AsyncDisposableStack();
  const relay = stack.use(
    await startRelay(kind === 'apns' ? simulator.apns_url : simulator.fcm_url),
  );
  const { ca, credentials, apns_url, fcm_url } = simulator;
  const providers = { ca, credentials, apns_url, fcm_url, [`${kind}_url`]: relay.url };
  const prepare = await sender.start(stack, { kind, providers, newDatabase });
  await (
    await prepare([simulator.addDevice({ kind })])
  )();

  const devices = Array.from({ length: BURST }, () => simulator.addDevice({ kind }));
  const arrivals = () => devices.map(({ token }) => simulator.devices.received(token).length);
  const send = await prepare(devices);
  const { fault, times } = faultCase;
  let reopening: Promise<void> | undefined;
  if (fault)
    simulator.faults.add({ provider: kind, fault: fault[kind], ...(times ? { times } : {}) });
  else {
    await relay.close();
    reopening = sleep(REFUSED_MS).then(() => relay.open());
  }
  const begun = performance.now();
  const calledDead = await send();
  let seconds = (performance.now() - begun) / 1_000;
  if (sender.hasQueue && calledDead.size === 0) {
    while (arrivals().includes(0) && performance.now() - begun < QUEUE_WITHIN_MS) await sleep(20);
    seconds = (performance.now() - begun) / 1_000;
  }
  await reopening;
  simulator.faults.clear();
  return {
    lost: arrivals().filter((count) => count === 0).length,
    doubled: arrivals().filter((count) => count > 1).length,
    calledDead: calledDead.size,
    seconds,
  };
}

function textOf({ lost, doubled, calledDead, seconds }: BurstResult): string {
  if (calledDead > 0) return `${calledDead} called dead`;
  return `${lost} lost, ${doubled} doubled, ${seconds.toFixed(1)} s`;
}
