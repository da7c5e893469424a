import { join } from 'node:path';

import echo from '@bellhop-examples/echo-bot';
import { listener } from '@bellhop/bot/node';
import {
  createBouncer,
  migrations as bouncerMigrations,
  readConfig as readBouncerConfig,
} from '@bellhop/bouncer';
import type { BouncerTables } from '@bellhop/bouncer';
import { jobsMigrations } from '@bellhop/jobs';
import { roles } from '@bellhop/protocol';
import {
  bouncerEnvironment,
  type PushSimulator,
  startPushSimulator,
} from '@bellhop/push-simulator';
import { type Config, createServer, readConfig } from '@bellhop/server';
import { serverMigrations, type Tables } from '@bellhop/server/provision';
import type { Logger } from 'pino';

import { UserError } from '../command-line/user-error.ts';
import { openStorage } from '../service/open-storage.ts';
import { openConsole } from './console/console.ts';
import { type Door, openDoor } from './door.ts';
import { startPhones } from './phones.ts';
import type { Ports } from './ports.ts';
import type { Progress } from './progress.ts';
import { runningSandbox } from './running-sandbox.ts';
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
  const { dataDir, progress, log } = options;
  await refuseSecond(dataDir);
  const { state, save } = await readState(dataDir);
  await removeSandboxFile(dataDir);
  const { console: consolePage, ...doors } = await openDoors(options.ports, ends);
  const [storage, simulator] = await both(
    progress.step(options.databaseUrl === undefined ? 'PostgreSQL' : 'your PostgreSQL', () =>
      startStorage(options, ends),
    ),
    progress.step('push providers (simulated FCM and APNs)', () => startSimulator(options, ends)),
  );
  const externalUrl = `http://localhost:${doors.server.port}`;
  const [, { people, db }] = await both(
    progress.step('push bouncer', async () => {
      const database = await storage.open<BouncerTables>(
        'bouncer',
        [jobsMigrations, ...bouncerMigrations],
        'bellhop-bouncer',
      );
      await startBouncer({ database, state, simulator, door: doors.bouncer, log }, ends);
    }),
    progress.step('chat server', async () => {
      const tables = await storage.open<Tables>('', serverMigrations, 'bellhop-server');
      const users = await seedPeople({ db: tables, state, externalUrl });
      await save();
      const bouncerUrl = doors.bouncer.url;
      const config = serverConfig({ state, externalUrl, port: doors.server.port, bouncerUrl });
      const server = await createServer({ config, db: tables, log });
      ends.push(() => Promise.all([doors.server.stop(), server.stop()]));
      doors.server.serve(server.listener);
      return { people: users, db: tables };
    }),
  );
  const places = await progress.step('example bot', async () => {
    const seeded = await seedPlaces(doors.server.url, people, doors.bot.url);
    doors.bot.serve(listener(seeded.bots.map(({ email, token }) => echo({ email, token }))));
    for (const bot of seeded.bots) await moveBot(db, bot);
    return seeded;
  });
  const owner = people.find(({ role }) => role === roles.member) ?? people[0];
  if (!owner) throw new Error('The sandbox has nobody');
  const phones = await progress.step('two phones, registering', () =>
    startPhones({
      url: doors.server.url,
      owner,
      state,
      save,
      simulator,
      onReceived: consolePage.received,
    }),
  );
  const file: SandboxFile = {
    base_url: externalUrl,
    bouncer_url: doors.bouncer.url,
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

async function refuseSecond(dataDir: string): Promise<void> {
  const running = await runningSandbox(dataDir);
  if (!running) return;
  throw new UserError(
    `Bellhop already runs in ${dataDir}, at ${running.base_url}: use it, or stop it with Ctrl-C where it was started. ` +
      'For a second one set BELLHOP_DATA_DIR=.bellhop-2 and BELLHOP_PORT=0.',
  );
}

/** Waits for both to end before one's failure is passed on, so that all can be stopped again. */
async function both<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

/** All of our own ports at once, before the slow parts: a taken one is known immediately. */
async function openDoors(ports: Ports, ends: Ends) {
  const open = async (port: number) => {
    const door = await openDoor(port);
    ends.push(() => door.stop());
    return door;
  };
  const doors = {
    server: await open(ports.server),
    bouncer: await open(ports.bouncer),
    bot: await open(ports.bot),
    console: await openConsole(ports.console),
  };
  ends.push(() => doors.console.stop());
  return doors;
}

async function startStorage({ databaseUrl, dataDir }: SandboxOptions, ends: Ends) {
  const opened = await openStorage({ url: databaseUrl, dataDir: join(dataDir, 'postgres') });
  ends.push(opened.stop);
  return opened;
}

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
  readonly door: Door;
  readonly log: Logger;
}

async function startBouncer(parts: BouncerParts, ends: Ends): Promise<void> {
  const { database, state, simulator, door, log } = parts;
  const keys = { [state.bouncer_public_key]: state.bouncer_secret_key };
  const config = readBouncerConfig({
    ...bouncerEnvironment(simulator),
    BELLHOP_BOUNCER_KEYS: JSON.stringify(keys),
  });
  const bouncer = await createBouncer({ database, log, config });
  ends.push(() => Promise.all([door.stop(), bouncer.stop()]));
  door.serve(bouncer.listener);
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
