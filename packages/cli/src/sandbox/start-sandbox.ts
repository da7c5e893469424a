import type { RequestListener } from 'node:http';
import { join } from 'node:path';

import { echo } from '@bellhop-examples/echo-bot';
import { listener } from '@bellhop/bot/node';
import { createBouncer, migrations as bouncerMigrations } from '@bellhop/bouncer';
import type { BouncerTables } from '@bellhop/bouncer';
import { type Listening, listen } from '@bellhop/http';
import { jobsMigrations } from '@bellhop/jobs';
import { type PushSimulator, startPushSimulator } from '@bellhop/push-simulator';
import { type Config, createServer, readConfig } from '@bellhop/server';
import { serverMigrations, type Tables } from '@bellhop/server/provision';
import type { Logger } from 'pino';

import { openStorage } from '../open-storage.ts';
import { openConsole } from './console.ts';
import { startPhones } from './phones.ts';
import type { Ports } from './ports.ts';
import type { Progress } from './progress.ts';
import { removeSandboxFile, type SandboxFile, writeSandboxFile } from './sandbox-file.ts';
import { moveBot, seedPeople, seedPlaces } from './seed.ts';
import { readState, type State } from './state-file.ts';

export interface SandboxOptions {
  readonly dataDir: string;
  readonly ports: Ports;
  readonly databaseUrl?: string | undefined;
  readonly progress: Progress;
  readonly log: Logger;
}
export interface Sandbox extends AsyncDisposable {
  readonly file: SandboxFile;
  readonly stop: () => Promise<void>;
}
type Ends = (() => Promise<unknown>)[];

/**
 * Starts all of Bellhop on this machine: PostgreSQL, the server, the bouncer, the two push
 * providers' simulators, two phones, an example bot and a page that shows what the phones got.
 * What was started is stopped again if a later part fails.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const ends: Ends = [];
  const stop = async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    const file = await start(options, ends);
    return { file, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(options: SandboxOptions, ends: Ends): Promise<SandboxFile> {
  const { dataDir, ports, progress, log } = options;
  const { state, save } = await readState(dataDir);
  const storage = await progress.step('PostgreSQL', async () => {
    const opened = await openStorage({
      url: options.databaseUrl,
      dataDir: join(dataDir, 'postgres'),
    });
    ends.push(opened.stop);
    return opened;
  });
  let serving: RequestListener = unready;
  const door = await listen((request, response) => serving(request, response), {
    port: ports.server,
  });
  ends.push(() => door.stop());
  const simulator = await progress.step('push providers (simulated FCM and APNs)', () =>
    startSimulator(options, ends),
  );
  const bouncer = await progress.step('push bouncer', async () => {
    const database = await storage.open<BouncerTables>(
      'bouncer',
      [jobsMigrations, ...bouncerMigrations],
      'bellhop-bouncer',
    );
    return startBouncer({ database, state, simulator, port: ports.bouncer, log }, ends);
  });
  const externalUrl = `http://localhost:${door.port}`;
  const { people, db } = await progress.step('chat server', async () => {
    const tables = await storage.open<Tables>('', serverMigrations, 'bellhop-server');
    const users = await seedPeople({ db: tables, state, externalUrl });
    await save();
    const config = serverConfig({ state, externalUrl, port: door.port, bouncerUrl: bouncer.url });
    const server = await createServer({ config, db: tables, log });
    ends.push(server.stop);
    serving = server.listener;
    return { people: users, db: tables };
  });
  const places = await progress.step('example bot', async () => {
    let answering: RequestListener = unready;
    const botDoor = await listen((request, response) => answering(request, response), {
      port: ports.bot,
    });
    ends.push(() => botDoor.stop());
    const seeded = await seedPlaces(door.url, people, botDoor.url);
    answering = listener(seeded.bots.map(({ email, token }) => echo({ email, token })));
    for (const bot of seeded.bots) await moveBot(db, bot);
    return seeded;
  });
  const consolePage = await openConsole(ports.console);
  ends.push(() => consolePage.stop());
  const owner = people.find(({ full_name }) => full_name === 'Max Member') ?? people[0];
  if (!owner) throw new Error('The sandbox has nobody');
  const phones = await progress.step('two phones, registering', () =>
    startPhones({ url: door.url, owner, state, save, simulator, onReceived: consolePage.received }),
  );
  const file: SandboxFile = {
    base_url: externalUrl,
    bouncer_url: bouncer.url,
    bouncer_public_key: state.bouncer_public_key,
    console_url: consolePage.url,
    simulator: {
      fcm_url: simulator.fcm_url,
      apns_url: simulator.apns_url,
      control_url: simulator.control_url,
    },
    users: people,
    ...places,
    devices: phones.map(({ name, user_id, push_account_id, token_kind }) => ({
      name,
      user_id,
      push_account_id,
      token_kind,
    })),
  };
  consolePage.show(file, phones);
  await writeSandboxFile(dataDir, file);
  ends.push(() => removeSandboxFile(dataDir));
  return file;
}

/** Ports are taken before there is anything to serve, so that addresses are known. */
const unready: RequestListener = (_request, response) => response.writeHead(503).end();

async function startSimulator(
  { ports, dataDir }: SandboxOptions,
  ends: Ends,
): Promise<PushSimulator> {
  const simulator = await startPushSimulator({
    fcm_port: ports.fcm,
    apns_port: ports.apns,
    apns_sandbox_port: ports.apns_sandbox,
    control_port: ports.control,
    state_dir: join(dataDir, 'push-simulator'),
  });
  ends.push(() => simulator.stop());
  return simulator;
}

interface BouncerParts {
  readonly database: Parameters<typeof createBouncer>[0]['database'];
  readonly state: State;
  readonly simulator: PushSimulator;
  readonly port: number;
  readonly log: Logger;
}

async function startBouncer(parts: BouncerParts, ends: Ends): Promise<Listening> {
  const { database, state, simulator, log } = parts;
  const { apns, fcm } = simulator.credentials;
  const bouncer = await createBouncer({
    database,
    log,
    config: {
      keys: { [state.bouncer_public_key]: state.bouncer_secret_key },
      apns: {
        url: simulator.apns_url,
        teamId: apns.team_id,
        keyId: apns.key_id,
        privateKey: apns.private_key,
      },
      fcm: { url: simulator.fcm_url, account: fcm },
      providerCa: simulator.ca,
      behindProxy: false,
      requestsPerMinute: 1000,
      retrySeconds: 3600,
    },
  });
  const listening = await listen(bouncer.listener, { port: parts.port });
  ends.push(async () => {
    await listening.stop();
    await bouncer.stop();
  });
  return listening;
}

interface ServerParts {
  readonly state: State;
  readonly externalUrl: string;
  readonly port: number;
  readonly bouncerUrl: string;
}

/** Unlike a real server's: webhooks may reach this machine, and limits leave room to play. */
const serverConfig = ({ state, externalUrl, port, bouncerUrl }: ServerParts): Config =>
  readConfig({
    BELLHOP_SECRET: state.secret,
    BELLHOP_EXTERNAL_URL: externalUrl,
    BELLHOP_PORT: String(port),
    BELLHOP_BOUNCER_URL: bouncerUrl,
    BELLHOP_BOUNCER_ORG_ID: state.org_id,
    BELLHOP_BOUNCER_ORG_KEY: state.org_key,
    BELLHOP_WEBHOOK_ALLOW: '127.0.0.0/8,::1/128',
    BELLHOP_RATE_LIMIT_USER: '6000/60',
    BELLHOP_RATE_LIMIT_IP: '6000/60',
    BELLHOP_RATE_LIMIT_LOGIN: '100/1800',
  });
