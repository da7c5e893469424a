import { createTestDatabase } from '@bellhop/postgres/testing';
import { sealing } from '@bellhop/push-crypto';
import { bouncerEnvironment, startSimulator } from '@bellhop/push-simulator';
import { expect, test } from 'vitest';

import { type Program, startProgram } from '../support/program.ts';
import {
  phoneKinds,
  type PushPhone,
  pushRequestTo,
  registerPhone,
  registerPushServer,
} from '../support/push-server.ts';

const PHONES = 16;
const CALLERS = 4;
/** Phones for which the provider never answers, so that no request is answered before a signal. */
const SILENT = 4;

/** The outcome of one request of a chat server. */
interface Call {
  /** One for each phone, in their order. */
  readonly texts: readonly string[];
  /** Undefined while it is not answered. */
  outcomes?: readonly string[];
}

test('a bouncer that gets SIGTERM under load answers every request, and sends each accepted notification once; SIGKILL loses nothing', async () => {
  await using ends = new AsyncDisposableStack();
  const { url: databaseUrl } = ends.use(await createTestDatabase());
  const simulator = await startSimulator();
  ends.defer(() => simulator.stop());
  const { publicKey, secretKey } = sealing.generateKeyPair();
  const env = {
    ...bouncerEnvironment(simulator),
    BELLHOP_BOUNCER_DATABASE_URL: databaseUrl,
    BELLHOP_BOUNCER_KEYS: `${publicKey}:${secretKey}`,
    BELLHOP_BOUNCER_SERVERS: 'any',
    BELLHOP_BOUNCER_QUOTAS: 'device_notifications_per_minute=unlimited',
    BELLHOP_BOUNCER_PORT: '0',
  };
  const start = () => startProgram(['bouncer'], { env, ready: /"msg":"listening"/ });
  const urlOf = (program: Program) => /"url":"([^"]+)"/.exec(program.output())?.[1] ?? '';

  let program = await start();
  ends.defer(() => program[Symbol.asyncDispose]());
  const server = await registerPushServer(urlOf(program));
  const phones: PushPhone[] = [];
  for (let index = 0; index < PHONES; index++) {
    const kind = phoneKinds[index % phoneKinds.length] ?? 'fcm';
    const device = simulator.addDevice({ kind });
    phones.push(await registerPhone(urlOf(program), server, { kind, device, publicKey }));
  }

  /** Sends requests until one fails, as the bouncer has stopped. */
  async function load(url: string, calls: Call[]): Promise<void> {
    for (;;) {
      const number = `${url} ${calls.length} ${Math.random()}`;
      const texts = phones.map(({ deviceId }) =>
        Buffer.from(`${number} to ${deviceId}`).toString('base64'),
      );
      const call: Call = { texts };
      calls.push(call);
      const push_requests = phones.map((phone, index) => pushRequestTo(phone, texts[index] ?? ''));
      try {
        const remotes = server.remotes(url);
        const answer = await remotes.push.notify({ realm_uuid: server.realmUuid, push_requests });
        call.outcomes = answer.outcomes.map(({ outcome }) => outcome);
      } catch {
        return;
      }
    }
  }
  /** Gives the bouncer a signal while requests are under way, and starts it again. */
  async function round(signal: 'SIGTERM' | 'SIGKILL'): Promise<Call[]> {
    simulator.faults.clear();
    // The provider answers a little late for the other phones.
    for (const { kind, token } of phones.slice(0, SILENT))
      simulator.faults.add({ provider: kind, match: { token }, fault: 'silent' });
    for (const provider of phoneKinds) simulator.faults.add({ provider, fault: { slow_ms: 40 } });
    const calls: Call[] = [];
    const callers = Array.from({ length: CALLERS }, () => load(urlOf(program), calls));
    const isUnderWay = () =>
      simulator.journal.requests().filter(({ outcome }) => outcome === 'fault: silent').length;
    const before = isUnderWay();
    await expect.poll(isUnderWay).toBeGreaterThanOrEqual(before + CALLERS * SILENT);
    const code = await program.signal(signal);
    if (signal === 'SIGTERM') expect(code).toBe(0);
    await Promise.all(callers);
    simulator.faults.clear();
    program = await start();
    return calls;
  }
  const copies = (phone: PushPhone, text: string) =>
    simulator.devices.received(phone.token).filter((one) => JSON.stringify(one).includes(text))
      .length;
  const copiesOf = (calls: readonly Call[]) =>
    calls.flatMap(({ texts }) => phones.map((phone, index) => copies(phone, texts[index] ?? '')));
  const answered = (calls: readonly Call[]) => calls.filter(({ outcomes }) => outcomes);

  const arrived = (calls: readonly Call[]) =>
    expect.poll(() => copiesOf(calls).includes(0), { timeout: 40_000 }).toBe(false);

  const first = await round('SIGTERM');
  // A SIGKILL may repeat a notification that a provider is just taking, so the first round has
  // ended by then.
  await arrived(answered(first));
  const killed = await round('SIGKILL');
  const second = await round('SIGTERM');
  const taken = [...answered(first), ...answered(second)];
  expect(taken.length).toBeGreaterThanOrEqual(2 * CALLERS);
  expect(new Set(taken.flatMap(({ outcomes = [] }) => outcomes))).toEqual(
    new Set(['accepted', 'queued']),
  );
  await arrived(answered(second));
  expect(copiesOf(taken).filter((count) => count !== 1)).toEqual([]);
  await arrived(answered(killed));
  // A request that got no answer was not taken: its caller may repeat it.
  const refused = [...first, ...second].filter(({ outcomes }) => !outcomes);
  expect(copiesOf(refused).filter((count) => count > 0)).toEqual([]);
}, 90_000);
