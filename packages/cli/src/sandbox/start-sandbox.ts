import { join, resolve } from 'node:path';

import { removeSandboxFile, type SandboxFile, writeSandboxFile } from '@bellhop/bot-cli/sandbox';
import { CONSOLE_PATH } from '@bellhop/console';
import { buildConsole } from '@bellhop/console/build';
import { loadListener } from '@bellhop/http';
import type { Database } from '@bellhop/postgres';
import { roles, SANDBOX_OPERATOR_PREFIX, SANDBOX_PREFIX } from '@bellhop/protocol';
import { createServer } from '@bellhop/server';
import { createSignInKey, serverMigrations, type Tables } from '@bellhop/server/provision';
import type { Logger } from 'pino';

import { withConsole } from '../bouncer/with-console.ts';
import { numbersOf } from '../phones/simulated-phone.ts';
import { openStorage } from '../service/open-storage.ts';
import { bouncerTraces } from '../trace/bouncer-access.ts';
import { SandboxPhones } from './phones/sandbox-phones.ts';
import { serveSandbox } from './phones/serve-sandbox.ts';
import type { Ports } from './ports.ts';
import type { Progress } from './progress.ts';
import { reservePort } from './reserved-port.ts';
import {
  createSandboxBouncer,
  sandboxServerConfig,
  startSandboxSimulator,
} from './sandbox-services.ts';
import { readState } from './sandbox-state.ts';
import { seedChannelsAndBot, updatePayloadUrl } from './seed-channels-and-bot.ts';
import { type SandboxUser, seedPeople } from './seed-people.ts';
import { serveOperator } from './serve-operator.ts';
import { tellDeliveries } from './tell-deliveries.ts';
export type { SandboxFile } from '@bellhop/bot-cli/sandbox';
export type { Ports } from './ports.ts';
export type { Progress } from './progress.ts';

export interface SandboxOptions {
  readonly dataDir: string;
  readonly ports: Ports;
  readonly databaseUrl?: string | undefined;
  /** Variables of the chat server that the sandbox does not set itself. */
  readonly serverEnv?: Readonly<Record<string, string | undefined>>;
  readonly progress: Progress;
  readonly log: Logger;
  /** Called with a line for each attempt at the webhook of a bot. */
  readonly onDelivery?: (line: string) => void;
}
export interface Sandbox extends AsyncDisposable {
  readonly file: SandboxFile;
  /** Signs one browser in to the console as everybody, once. */
  readonly signInLink: string;
  /** The directory of the mails that the server wrote instead of sending them. */
  readonly outbox: string;
  readonly stop: () => Promise<void>;
}
/** The app of the sandbox's phones; Apple's simulated key may send to it alone. */
const APP_ID = 'org.bellhop.phone';

/**
 * Starts all of Bellhop on this machine: PostgreSQL, the server, the bouncer, simulated FCM, APNs
 * and Web Push, two phones and a browser, an example bot, and the console. If a part fails, the parts
 * before it are stopped again.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  await using starting = new AsyncDisposableStack();
  const started = await start(options, starting);
  const parts = starting.move();
  const stop = () => parts.disposeAsync();
  return { ...started, stop, [Symbol.asyncDispose]: stop };
}

async function start(
  options: SandboxOptions,
  parts: AsyncDisposableStack,
): Promise<Pick<Sandbox, 'file' | 'signInLink' | 'outbox'>> {
  const { dataDir, databaseUrl, progress, log } = options;
  const { state, save } = await readState(dataDir);
  await removeSandboxFile(dataDir);
  const ports = await openPorts(options, parts);
  const outbox = resolve(dataDir, 'outbox');
  const externalUrl = `http://localhost:${ports.server.port}`;
  const config = sandboxServerConfig({
    state,
    externalUrl,
    port: ports.server.port,
    bouncerUrl: ports.bouncer.url,
    outbox,
    env: options.serverEnv ?? {},
  });
  // Settles also if the start was stopped before: the other steps reject with the reason.
  const building = Promise.allSettled([
    progress.step('console', () =>
      buildConsole().catch((error: unknown) => log.warn(String(error))),
    ),
  ]);
  parts.defer(async () => void (await building));
  const [storage, simulator] = await settleBoth(
    progress.step(databaseUrl === undefined ? 'PostgreSQL' : 'your PostgreSQL', async () => {
      const opened = await openStorage({
        url: databaseUrl,
        urlVariable: 'DATABASE_URL',
        dataDir: join(dataDir, 'postgres'),
        onGone: (error) =>
          log.fatal({ err: error }, 'the database is gone: start the sandbox again'),
      });
      parts.defer(opened.stop);
      return opened;
    }),
    progress.step('push providers (simulated FCM, APNs and Web Push)', async () => {
      const started = await startSandboxSimulator(dataDir, options.ports);
      parts.defer(() => started.stop());
      return started;
    }),
  );
  const [, { people, db }] = await settleBoth(
    progress.step('push bouncer', async () => {
      const bouncer = await createSandboxBouncer({ storage, state, simulator, log });
      parts.defer(async () => void (await Promise.all([ports.bouncer.stop(), bouncer.stop()])));
      ports.bouncer.serve(await withConsole(bouncer.listener));
    }),
    progress.step('organization and people', async () => {
      const tables = await storage.open<Tables>('', serverMigrations, 'bellhop-server');
      const users = await seedPeople({ db: tables, state, externalUrl });
      await save();
      return { people: users, db: tables };
    }),
  );
  // After the bouncer: the server announces its organization there at once.
  const server = await progress.step('chat server', async () => {
    const created = await createServer({ config, db, log });
    parts.defer(async () => void (await Promise.all([ports.server.stop(), created.stop()])));
    return created;
  });
  const owner = people.find(({ role }) => role === roles.member) ?? people[0];
  if (!owner) throw new Error('The sandbox has no users');
  const phones = new SandboxPhones({
    dataDir,
    url: ports.server.url,
    people,
    owner,
    state,
    save,
    simulator,
  });
  parts.defer(() => phones.stop());
  const ofSandbox = serveSandbox({
    server,
    phones,
    simulator,
    bouncerTraces: bouncerTraces(ports.bouncer.url, state),
    log,
  });
  const ofOperator = serveOperator({
    server,
    bouncerUrl: ports.bouncer.url,
    token: state.operator_token,
    log,
  });
  ports.server.serve((request, response) => {
    if (request.url?.startsWith(`${SANDBOX_OPERATOR_PREFIX}/`)) ofOperator(request, response);
    else if (request.url?.startsWith(`${SANDBOX_PREFIX}/`)) ofSandbox(request, response);
    else server.listener(request, response);
  });
  const { bots, channels } = await progress.step('example bot', async () => {
    const { url } = ports.server;
    const seeded = await seedChannelsAndBot({ db, url, people, payload_url: ports.bot.url });
    ports.bot.serve(
      loadListener(
        async () => {
          const { listener } = await import('@bellhop/bot/node');
          const { default: echo } = await import('../bot/new/templates/echo/bot.ts');
          return listener(seeded.bots.map(({ email, token }) => echo({ email, token })));
        },
        (err) => log.error({ err }, 'the echo bots cannot answer'),
      ),
    );
    for (const bot of seeded.bots) await updatePayloadUrl(db, bot);
    return seeded;
  });
  await progress.step('two phones and a browser, registering', () => phones.start());
  const { fcm_url, apns_url, webpush_url, control_url, control_token } = simulator;
  const file: SandboxFile = {
    base_url: externalUrl,
    bouncer_url: ports.bouncer.url,
    bouncer_public_key: state.bouncer_public_key,
    app_id: APP_ID,
    console_url: `${externalUrl}${CONSOLE_PATH}`,
    simulator: { fcm_url, apns_url, webpush_url, control_url, control_token },
    users: people,
    bots,
    channels,
    devices: phones.of(owner.user_id).map(({ entry }) => ({
      name: entry.name,
      user_id: owner.user_id,
      ...numbersOf(entry.identity),
      token_kind: entry.kind,
    })),
  };
  if (options.onDelivery) parts.defer(tellDeliveries(file, options.onDelivery));
  await writeSandboxFile(dataDir, file);
  parts.defer(() => removeSandboxFile(dataDir));
  await building;
  return {
    file,
    signInLink: await signInLink(db, externalUrl, people),
    outbox,
  };
}

/** Waits for both before it rejects, so that everything that has started is stopped. */
async function settleBoth<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

/** Opens all ports before the slow parts start, so that a taken port is known at once. */
async function openPorts({ ports }: SandboxOptions, parts: AsyncDisposableStack) {
  const reserve = async (port: number) => {
    const reserved = await reservePort(port);
    parts.defer(() => reserved.stop());
    return reserved;
  };
  return {
    server: await reserve(ports.server),
    bouncer: await reserve(ports.bouncer),
    bot: await reserve(ports.bot),
  };
}

/** A link that signs one browser in to the console as all of these users, once. */
async function signInLink(
  db: Database<Tables>,
  baseUrl: string,
  people: readonly SandboxUser[],
): Promise<string> {
  const { id } = await db.kysely.selectFrom('realm_name').select('id').executeTakeFirstOrThrow();
  const users = people.map(({ user_id }) => ({ realm_id: id, id: user_id }));
  const now = Math.floor(Date.now() / 1000);
  const key = await db.transaction((tx) => createSignInKey(tx, users, now));
  return `${baseUrl}/console/#key=${key}`;
}
