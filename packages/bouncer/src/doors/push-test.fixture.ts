import {
  ApiError,
  type AskedPushRequests,
  type AskedTokenRequests,
  TokenKind,
} from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect } from 'vitest';

import {
  pushRequests,
  startTestBouncer,
  type TestBouncer,
  type TestServer,
} from '../test-bouncer.fixture.ts';

export type TestDevice = Awaited<ReturnType<TestBouncer['addDevice']>>;
type TestPhone = Pick<TestDevice, 'token'>;

/**
 * A bouncer and a chat server for all tests of a file. Before each test all faults are switched off;
 * after the last one everything stops.
 */
export async function startPushTest() {
  const bouncer = await startTestBouncer();
  const server = await bouncer.addServer();
  const { simulator } = bouncer;
  beforeEach(() => void simulator.faults.clear());
  afterAll(() => bouncer[Symbol.asyncDispose]());

  const notify = (...push_requests: (AskedPushRequests | AskedTokenRequests)[TokenKind][]) =>
    server.client.push.notify({ realm_uuid: server.realmUuid, push_requests });
  const requestsTo = ({ token }: TestPhone) =>
    simulator.journal.requests().filter((request) => request.token === token);
  /** The jobs that retry notifications to the device, oldest first. */
  const retriesTo = async ({ deviceId }: TestDevice) => {
    const { rows } = await sql<{ state: string; reason: string | null }>`
      select state, reason from job where (payload ->> 'device_id')::bigint = ${deviceId}
      order by id`.execute(bouncer.kysely);
    return rows;
  };
  return {
    bouncer,
    server,
    notify,
    requestsTo,
    retriesTo,
    /** Has a notification accepted for each kind of phone: without one, no device is deleted. */
    prove: async (): Promise<void> => {
      for (const kind of TokenKind.options) {
        const phone = await bouncer.addDevice(server, kind);
        const { outcomes } = await notify(pushRequests[kind](phone));
        expect(outcomes).toMatchObject([{ outcome: 'accepted' }]);
      }
    },
    /** The row of a device. */
    stored: (deviceId: number) =>
      bouncer.kysely
        .selectFrom('device')
        .selectAll()
        .where('device_id', '=', deviceId)
        .executeTakeFirstOrThrow(),
    addDevice: (kind: TokenKind, options?: Parameters<typeof bouncer.addDevice>[2]) =>
      bouncer.addDevice(server, kind, options),
    addDevices: (kind: TokenKind, count: number) =>
      Promise.all(Array.from({ length: count }, () => bouncer.addDevice(server, kind))),
    /** Sends a notification of its own kind to each device, in one request. */
    notifyAll: (kind: TokenKind, ...devices: readonly TestDevice[]) =>
      notify(...devices.map((device) => pushRequests[kind](device))),
    /** The notifications that the phone received. */
    received: ({ token }: TestPhone) => simulator.devices.received(token),
    /** Resolves with the next notification of the phone. */
    arrival: ({ token }: TestPhone) =>
      new Promise((resolve) => simulator.devices.listen(token, resolve)),
    /** Resolves with state and reason of the device's first retry when it has ended. */
    retryEnd: async (device: TestDevice) => {
      for (;;) {
        const [job] = await retriesTo(device);
        if (job && ['done', 'dead'].includes(job.state)) return job;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

/**
 * Sends, and again up to four times while notifications are queued: a busy machine may have no time
 * left for them within the request. Every other outcome is returned at once.
 */
export async function sendInTime<Sent extends { readonly answer: Answer }>(
  send: () => Promise<Sent>,
): Promise<Sent> {
  for (let tries = 1; ; tries++) {
    const sent = await send();
    const isQueued = sent.answer.outcomes.some(({ outcome }) => outcome === 'queued');
    if (!isQueued || tries === 5) return sent;
  }
}
type Answer = Awaited<ReturnType<TestServer['client']['push']['notify']>>;

/** `success`, or the code of the error. */
export const codeOf = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => 'success',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  );
