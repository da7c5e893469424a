import { randomBytes, randomUUID } from 'node:crypto';

import { type BouncerTables, createBouncer, migrations, readConfig } from '@bellhop/bouncer';
import { type ClientOf, createClientFor } from '@bellhop/client';
import { listen } from '@bellhop/http';
import type { Outbound } from '@bellhop/http/outbound';
import { freePorts } from '@bellhop/http/testing';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { bouncer as contract, type Bouncer, needsAppId, type TokenKind } from '@bellhop/protocol';
import { payloadCipher, sealing, sealJson } from '@bellhop/push-crypto';
import {
  appDataOf,
  bouncerEnvironment,
  type PushSimulator,
  startSimulator,
  webPushKeysOf,
} from '@bellhop/push-simulator';
import { type Person, startTestChat } from '@bellhop/server/testing';
import { pino } from 'pino';

import { registerQueue } from './event-queue.ts';

export const newOrgKey = (): string => randomBytes(32).toString('hex');
export type PushStack = Awaited<ReturnType<typeof startPushStack>>;

interface PushStackOptions {
  readonly isBouncerUp?: boolean;
  /** The bouncer's credentials with the providers. Default: those of the simulator, for all apps. */
  readonly credentials?: (simulator: PushSimulator) => Readonly<Record<string, string>>;
  readonly outbound?: Outbound;
  /** The clock of chat server and bouncer, UNIX seconds. */
  readonly now?: () => number;
  /** More variables of the chat server. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A chat server, its bouncer, and simulated APNs and FCM. */
export async function startPushStack(options: PushStackOptions = {}) {
  await using ends = new AsyncDisposableStack();
  const bouncer = ends.use(await startPushBouncer(options));
  const { now, env } = options;
  const chat = ends.use(
    await startTestChat({
      env: { ...bouncer.serverEnvironment, ...env },
      ...(now ? { now } : {}),
    }),
  );
  const parts = ends.move();
  return { ...bouncer, chat, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

/** A bouncer, and simulated APNs and FCM. `serverEnvironment` makes a chat server use it. */
export async function startPushBouncer({
  isBouncerUp = true,
  credentials = bouncerEnvironment,
  outbound,
  now,
}: PushStackOptions = {}) {
  await using ends = new AsyncDisposableStack();
  const simulator = await startSimulator(now ? { now: () => now() * 1_000 } : {});
  ends.defer(() => simulator.stop());
  const { database } = ends.use(await createTestDatabase<BouncerTables>({ migrations }));
  const keyPair = sealing.generateKeyPair();
  const org = { id: randomUUID(), key: newOrgKey() };
  const bouncer = await createBouncer({
    database,
    log: pino({ level: 'silent' }),
    ...(outbound ? { outbound } : {}),
    ...(now ? { now: () => now() * 1_000 } : {}),
    config: readConfig({
      ...credentials(simulator),
      BELLHOP_BOUNCER_KEYS: JSON.stringify({ [keyPair.publicKey]: keyPair.secretKey }),
      BELLHOP_BOUNCER_SERVERS: 'any',
    }),
  });
  ends.defer(() => bouncer.stop());
  let isLosingAnswers = false;
  const traces: (string | undefined)[] = [];
  const listener: typeof bouncer.listener = (request, response) => {
    const isNotify = request.url?.endsWith('/notify') ?? false;
    if (isNotify) traces.push(request.headers['traceparent']?.toString());
    if (isLosingAnswers && isNotify) {
      response.end = () => {
        request.socket.destroy();
        return response;
      };
    }
    bouncer.listener(request, response);
  };
  const [port = 0] = await freePorts(1);
  let socket = await listen(listener, { port });
  const { url } = socket;
  ends.defer(() => socket.stop(0));
  if (!isBouncerUp) await socket.stop(0);

  const parts = ends.move();
  return {
    simulator,
    org,
    bouncerUrl: url,
    bouncerPublicKey: keyPair.publicKey,
    serverEnvironment: {
      BELLHOP_BOUNCER_URL: url,
      BELLHOP_BOUNCER_ORG_ID: org.id,
      BELLHOP_BOUNCER_ORG_KEY: org.key,
    },
    /** The bouncer's tables. */
    tables: database.kysely,
    bouncerClient: (as?: { id: string; key: string }): ClientOf<Bouncer> =>
      createClientFor(contract, {
        url,
        prefix: '/api/v1/remotes',
        ...(as ? { email: as.id, apiKey: as.key } : {}),
      }),
    stopBouncer: () => socket.stop(0),
    startBouncer: async () => {
      socket = await listen(listener, { port });
    },
    /** The header `traceparent` of each request that sent notifications. */
    traces: (): readonly (string | undefined)[] => traces,
    /** Whether the answers to notifications are lost on the way to the chat server. */
    loseAnswers: (isLosing: boolean) => {
      isLosingAnswers = isLosing;
    },

    /** A phone of the simulator with its own account, not registered yet; `simulated` is that of another account. */
    newPhone(
      kind: TokenKind,
      push_account_id = randomBytes(8).readBigInt64LE(),
      simulated = simulator.addDevice({ kind }),
    ) {
      const { token, app_id, subscription } = simulated;
      const key = payloadCipher.createKey();
      const sealed = (changes: object = {}): string => {
        const timestamp = Math.floor(Date.now() / 1000);
        const ios = needsAppId(kind) ? { ios_app_id: app_id } : {};
        const keys = subscription ? { webpush_keys: webPushKeysOf(subscription) } : {};
        const registration = { token, token_kind: kind, timestamp, ...ios, ...keys, ...changes };
        return sealJson(sealing, registration, keyPair.publicKey);
      };
      return {
        token,
        simulated,
        push_account_id,
        sealed,
        /** The registration that the phone sends to the chat server. */
        registration: () => ({
          token_kind: kind,
          push_account_id,
          push_public_key: key.push_key,
          bouncer_public_key: keyPair.publicKey,
          encrypted_push_registration: sealed(),
        }),
        /** The notifications that the phone received, decrypted, with push_account_id as received. */
        received: () =>
          simulator.devices.received(token).map((notification) => {
            const { encrypted_data, push_account_id: account } = appDataOf(notification).fields;
            const payload = payloadCipher.decrypt(String(encrypted_data), key);
            return { notification, push_account_id: account, payload };
          }),
      };
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
export type Phone = ReturnType<PushStack['newPhone']>;

/** Listens for `push_device` events; `next` waits for one. */
export async function watchDevices({ client }: Pick<Person, 'client'>) {
  const queue = await registerQueue(client, {
    event_types: ['push_device'],
    client_capabilities: { push_device_error_message: true },
  });
  return { next: () => queue.nextEvent(), pending: async () => await queue.unread() };
}

/** Registers phones of a user and waits until they are active. */
export async function activatePhones(user: Person, ...phones: Phone[]): Promise<void> {
  const devices = await watchDevices(user);
  for (const phone of phones) {
    await user.client.devices.registerPush(phone.registration());
    const event = await devices.next();
    if (event.type !== 'push_device' || event.status !== 'active')
      throw new Error(`The phone is not active: ${JSON.stringify(event)}`);
  }
}

/** The `realm_push_notifications_enabled` of a user's initial state. */
export async function canPush({ client }: Person): Promise<boolean | undefined> {
  const asked = { fetch_event_types: ['realm'], event_types: [] };
  return (await client.queues.register(asked)).realm_push_notifications_enabled;
}
