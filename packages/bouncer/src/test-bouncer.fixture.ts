import { randomBytes, randomUUID } from 'node:crypto';

import { createClientFor, type ClientOf } from '@bellhop/client';
import { listen } from '@bellhop/http';
import type { Outbound } from '@bellhop/http/outbound';
import { openDatabase } from '@bellhop/postgres';
import { createTestDatabase } from '@bellhop/postgres/testing';
import {
  type AskedPushRequests,
  type AskedTokenRequests,
  bouncer as contract,
  type Bouncer,
  bouncerV1,
  type BouncerV1,
  needsAppId,
  type PushRegistration,
  type TokenKind,
} from '@bellhop/protocol';
import { type KeyPair, sealing, sealJson, tokenId as tokenIdOf } from '@bellhop/push-crypto';
import { bouncerEnvironment, startSimulator, webPushKeysOf } from '@bellhop/push-simulator';
import { sql } from 'kysely';
import { pino } from 'pino';

import {
  type BouncerConfig,
  type BouncerTables,
  createBouncer,
  migrations,
  readConfig,
} from './bouncer.ts';
import type { Sweep } from './storage/sweep.ts';

export type BouncerClient = ClientOf<Bouncer>;
export interface TestServer {
  readonly serverUuid: string;
  readonly key: string;
  readonly realmUuid: string;
  readonly client: BouncerClient;
  readonly v1: ClientOf<BouncerV1>;
}
export type TestBouncer = Awaited<ReturnType<typeof startTestBouncer>>;

export const randomKey = (): string => randomBytes(32).toString('hex');
export const randomAccountId = (): bigint => randomBytes(8).readBigInt64LE();

/** A bouncer with its own database and simulated APNs and FCM. */
export async function startTestBouncer(
  options: { config?: Partial<BouncerConfig>; olderKey?: KeyPair; outbound?: () => Outbound } = {},
) {
  const clock = { offsetMs: 0 };
  const now = () => Date.now() + clock.offsetMs;
  const made = await createTestDatabase<BouncerTables>({ migrations });
  let { database } = made;
  const simulator = await startSimulator({ now });
  const keyPair = sealing.generateKeyPair();
  const keyPairs = [keyPair, ...(options.olderKey ? [options.olderKey] : [])];
  const keysText = JSON.stringify(
    Object.fromEntries(keyPairs.map(({ publicKey, secretKey }) => [publicKey, secretKey])),
  );
  const lines: string[] = [];
  /** The configuration with which the simulated providers accept the bouncer. */
  const config: BouncerConfig = {
    ...readConfig({
      ...bouncerEnvironment(simulator),
      BELLHOP_BOUNCER_KEYS: keysText,
      BELLHOP_BOUNCER_SERVERS: 'any',
    }),
    ...options.config,
  };
  const start = async (changed: Partial<BouncerConfig> = {}) => {
    const started = await createBouncer({
      database,
      config: { ...config, ...changed },
      log: pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }),
      now,
      ...(options.outbound ? { outbound: options.outbound() } : {}),
    });
    await started.checked();
    return started;
  };
  await using nodes = new AsyncDisposableStack();
  let bouncer = await start();
  const listening = await listen((request, response) => bouncer.listener(request, response));
  const metricsListening = await listen((request, response) => bouncer.metrics(request, response));
  const clientOf = (email?: string, apiKey?: string, url = listening.url): BouncerClient =>
    createClientFor(contract, {
      url,
      prefix: '/api/v1/remotes',
      ...(email === undefined ? {} : { email }),
      ...(apiKey === undefined ? {} : { apiKey }),
    });
  const v1ClientOf = (email: string, apiKey: string): ClientOf<BouncerV1> =>
    createClientFor(bouncerV1, { url: listening.url, prefix: '/v1', email, apiKey });

  const furtherNodes = nodes.move();
  return {
    url: listening.url,
    metricsUrl: `${metricsListening.url}/metrics`,
    get kysely() {
      return database.kysely;
    },
    get database() {
      return database;
    },
    databaseUrl: made.url,
    simulator,
    keyPair,
    clock,
    now,
    /** Moves the clock to the next full minute: quotas begin anew, and a test has a minute for them. */
    nextMinute(): void {
      clock.offsetMs += 60_000 - (now() % 60_000);
    },
    clientOf,
    config,
    /** The log so far, a JSON line per entry. */
    logged: () => lines.join(''),
    /** The entries of the log that ask the operator to act. */
    errors: () =>
      lines
        .map((line) => JSON.parse(line) as { level: number; alarm?: string; msg: string })
        .filter(({ level }) => level >= 50),

    /** Runs a sweep of the upkeep as if so much time had passed. */
    sweep: (sweep: Sweep, afterMs: number, keep: Partial<Parameters<Sweep>[0]['keep']> = {}) =>
      sweep({
        db: database.kysely,
        now: now() + afterMs,
        keep: { ...config, ...keep },
        signal: new AbortController().signal,
      }),

    /** Stops the bouncer. A request that comes later is answered by the one that `start` starts. */
    stop: () => bouncer.stop(),
    /** Starts another bouncer on the same database. `changed` overrides `config`. */
    async start(changed: Partial<BouncerConfig> = {}): Promise<void> {
      bouncer = await start(changed);
    },
    /** Starts one more node on the same database. Returns its address. */
    async addNode(changed: Partial<BouncerConfig> = {}): Promise<string> {
      const node = await start(changed);
      furtherNodes.defer(() => node.stop());
      const nodeListening = await listen(node.listener);
      furtherNodes.defer(() => nodeListening.stop(0));
      return nodeListening.url;
    },
    /** Gives the bouncer another configuration while it runs. */
    reload: (changed: Partial<BouncerConfig>) => bouncer.reload({ ...config, ...changed }),
    /** Stops the bouncer and starts another one on the same database. */
    async restart(changed: Partial<BouncerConfig> = {}): Promise<void> {
      await bouncer.stop();
      bouncer = await start(changed);
    },

    /**
     * Makes a backup of the database, and returns what restores it. The bouncer is stopped meanwhile; the
     * clock goes on by a minute.
     */
    async backUp(): Promise<() => Promise<void>> {
      const whileClosed = async (...statements: string[]) => {
        await bouncer.stop();
        await database.close();
        await using other = await openDatabase(withName(made.url, 'postgres'));
        for (const statement of statements) await sql.raw(statement).execute(other.kysely);
        database = await openDatabase<BouncerTables>(made.url);
        clock.offsetMs += 60_000;
        bouncer = await start();
      };
      const name = new URL(made.url).pathname.slice(1);
      await whileClosed(`create database ${name}_backup template ${name}`);
      return () =>
        whileClosed(`drop database ${name}`, `alter database ${name}_backup rename to ${name}`);
    },

    /** A registered chat server with one announced realm. */
    async addServer(): Promise<TestServer> {
      const [serverUuid, key, realmUuid] = [randomUUID(), randomKey(), randomUUID()];
      await clientOf().servers.register({
        zulip_org_id: serverUuid,
        zulip_org_key: key,
        hostname: `${serverUuid.slice(0, 8)}.example.com`,
        contact_email: 'admin@example.com',
      });
      const client = clientOf(serverUuid, key);
      await client.servers.announce({
        realm_counts: [],
        installation_counts: [],
        realms: [realmOf(realmUuid)],
      });
      return { serverUuid, key, realmUuid, client, v1: v1ClientOf(serverUuid, key) };
    },

    seal: (registration: object, key = keyPair.publicKey): string =>
      sealJson(sealing, registration, key),

    /** A registered phone of the simulator. */
    async addDevice(
      server: TestServer,
      kind: TokenKind,
      options: Omit<Parameters<typeof simulator.addDevice>[0], 'kind'> & {
        readonly android_app_id?: string;
        readonly pushAccountId?: bigint;
      } = {},
    ) {
      const { android_app_id, pushAccountId = randomAccountId(), ...phone } = options;
      const { token, app_id, subscription } = simulator.addDevice({ kind, ...phone });
      const registration: PushRegistration = {
        token,
        token_kind: kind,
        timestamp: Math.floor(now() / 1_000),
        ...(needsAppId(kind) ? { ios_app_id: app_id } : {}),
        ...(subscription ? { webpush_keys: webPushKeysOf(subscription) } : {}),
        ...(android_app_id === undefined ? {} : { android_app_id }),
      };
      const register = () =>
        server.client.push.register({
          realm_uuid: server.realmUuid,
          push_account_id: pushAccountId,
          encrypted_push_registration: sealJson(sealing, registration, keyPair.publicKey),
          bouncer_public_key: keyPair.publicKey,
        });
      const deviceId = idOf(await register());
      return { token, deviceId, pushAccountId, registration, register };
    },

    /** A phone that is registered with its token ID, as chat servers of level 468 and later do. */
    async addByToken(
      server: TestServer,
      kind: TokenKind,
      {
        spell = (token) => token,
        ...phone
      }: Omit<Parameters<typeof simulator.addDevice>[0], 'kind'> & {
        /** Changes the letters in which the phone has its token. */
        readonly spell?: (token: string) => string;
      } = {},
    ) {
      const { token, app_id } = simulator.addDevice({ kind, ...phone });
      const spelled = spell(token);
      const tokenId = tokenIdOf(spelled);
      const registration = () => ({
        token: spelled,
        token_kind: kind,
        timestamp: Math.floor(now() / 1_000),
        ...(needsAppId(kind) ? { ios_app_id: app_id } : {}),
      });
      const register = (parts: { token_id?: string; encrypted_push_registration?: string } = {}) =>
        server.client.push.register({
          realm_uuid: server.realmUuid,
          token_id: tokenId,
          encrypted_push_registration: sealJson(sealing, registration(), keyPair.publicKey),
          bouncer_public_key: keyPair.publicKey,
          ...parts,
        });
      const deviceId = idOf(await register());
      return { token, tokenId, deviceId, registration, register };
    },

    async [Symbol.asyncDispose]() {
      await listening.stop(0);
      await metricsListening.stop(0);
      await furtherNodes.disposeAsync();
      await bouncer.stop();
      await simulator.stop();
      await database.close();
      await made[Symbol.asyncDispose]();
    },
  };
}

function withName(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

export const realmOf = (uuid: string) => ({
  id: 1,
  host: 'chat.example.com',
  url: 'https://chat.example.com',
  name: 'Example',
  uuid,
  uuid_owner_secret: `secret of ${uuid}`,
});

interface Target {
  readonly deviceId: number;
  readonly pushAccountId: bigint;
}

/** Requests as chat servers send them, by kind of device. */
export const pushRequests = {
  apns: ({ deviceId, pushAccountId }: Target, encrypted_data = 'c2VjcmV0') => ({
    device_id: deviceId,
    http_headers: { apns_priority: 10 as const, apns_push_type: 'alert' as const },
    payload: {
      push_account_id: pushAccountId,
      encrypted_data,
      aps: { 'mutable-content': 1, alert: { title: 'New notification' } },
    },
  }),
  fcm: ({ deviceId, pushAccountId }: Target, encrypted_data = 'c2VjcmV0') => ({
    device_id: deviceId,
    fcm_priority: 'high' as const,
    payload: { push_account_id: pushAccountId, encrypted_data },
  }),
  webpush: ({ deviceId, pushAccountId }: Target, encrypted_data = 'c2VjcmV0') => ({
    device_id: deviceId,
    webpush_headers: { ttl: 3_600, urgency: 'high' as const },
    payload: { push_account_id: pushAccountId, encrypted_data },
  }),
} satisfies { [K in TokenKind]: (device: Target, encryptedData?: string) => AskedPushRequests[K] };

interface TokenTarget {
  readonly tokenId: string;
}
/** Larger than a signed integer of 32 bits. */
export const PUSH_KEY_ID = 3_735_928_559;

/** Requests as chat servers of level 468 and later send them, by kind of device. */
export const tokenRequests = {
  apns: ({ tokenId }: TokenTarget, encrypted_data = 'c2VjcmV0', push_key_id = PUSH_KEY_ID) => ({
    token_id: tokenId,
    http_headers: { apns_priority: 10 as const, apns_push_type: 'alert' as const },
    payload: {
      push_key_id,
      encrypted_data,
      aps: { 'mutable-content': 1, alert: { title: 'New notification' }, sound: 'default' },
    },
  }),
  fcm: ({ tokenId }: TokenTarget, encrypted_data = 'c2VjcmV0', push_key_id = PUSH_KEY_ID) => ({
    token_id: tokenId,
    fcm_priority: 'high' as const,
    payload: { push_key_id, encrypted_data },
  }),
} satisfies {
  [K in 'apns' | 'fcm']: (device: TokenTarget, encryptedData?: string) => AskedTokenRequests[K];
};

/** The device_id that this bouncer tells of every registration, as public ones do not. */
function idOf({ device_id }: { readonly device_id?: number | undefined }): number {
  if (device_id === undefined) throw new Error('The answer to a registration has no device_id');
  return device_id;
}
