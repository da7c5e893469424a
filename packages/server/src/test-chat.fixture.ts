import { randomUUID } from 'node:crypto';

import { type Client, createClient } from '@bellhop/client';
import { listen } from '@bellhop/http';
import { type Database, type DatabaseOptions, openDatabase } from '@bellhop/postgres';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { type Role, roles } from '@bellhop/protocol';
import { pino } from 'pino';

import { compareWithContract, type ContractComparison } from './compare-with-contract.fixture.ts';
import { type Config, readConfig } from './config.ts';
import type { Realm } from './engine/caller.ts';
import type { Mailer, OutgoingMail } from './mail/mailer.ts';
import { newSecret, serverMigrations, type Tables } from './provision.ts';
import { createServer, type Server } from './server.ts';
import {
  type Account,
  type CastName,
  createAccount,
  fillRealm,
  type TestRealm,
} from './test-realm.fixture.ts';

/** Who has a message, with which flags. */
export { recipientFlags } from './model/messages/read/recipient-flags.ts';

export interface Person extends Account {
  readonly client: Client;
}
export interface TestChat extends AsyncDisposable {
  readonly url: string;
  readonly server: Server;
  readonly realm: Realm;
  /** Users of the realm by first name: one per role, two members. */
  readonly people: Readonly<Record<CastName, Person>>;
  /** The mails that all nodes have sent, unless the environment has an SMTP server or an outbox. */
  readonly mails: readonly OutgoingMail[];
  /** All lines of the log so far, as JSON. */
  readonly logged: () => string;
  /** The events and errors of all operations; disposing the chat checks their results against the contract. */
  readonly seen: ContractComparison;
  /** Opens the database of the chat as another process would: with connections of its own. */
  readonly openDatabase: () => Promise<Database<Tables>>;
  /** Starts another server on the same database, with connections and a listener of its own. */
  readonly anotherNode: (options?: NodeOptions) => Promise<TestNode>;
  readonly databaseUrl: string;
  readonly addPerson: (
    name: string,
    role?: Role,
    options?: { password?: string },
  ) => Promise<Person>;
  /** Sends a request without the typed client, also one that the client would not send. */
  readonly ask: (
    person: Person | null,
    route: string,
    fields?: Record<string, string>,
  ) => Promise<TestResponse>;
}
interface NodeOptions extends DatabaseOptions {
  /** Default: `databaseUrl`. */
  readonly url?: string;
}
export interface TestNode {
  readonly url: string;
  readonly server: Server;
}
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

const environment = {
  BELLHOP_SECRET: 'a secret for tests, and for tests only',
  BELLHOP_EXTERNAL_URL: 'http://chat.test',
  BELLHOP_RATE_LIMIT_USER: '100000/60',
  BELLHOP_RATE_LIMIT_IP: '100000/60',
  BELLHOP_MAX_BOTS_PER_USER: '1000',
  BELLHOP_DAILY_INVITES_USER: '100000',
  BELLHOP_DAILY_INVITES_REALM: '100000',
  BELLHOP_DAILY_MAILS_IP: '100000',
  BELLHOP_DAILY_EMAIL_CHANGES_USER: '100000',
  BELLHOP_WEBHOOK_ALLOW: '127.0.0.0/8',
};

/** The limit of one node. Each connection parses and plans each statement for itself: few are faster. */
const MAX_CONNECTIONS = 4;

export interface TestChatOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: Partial<Config>;
  /** UNIX time in seconds. */
  readonly now?: () => number;
  /** How long servers cache users by API key. Default 100. */
  readonly keepUsersMs?: number;
  /** With one, work that asks for a second connection while it holds the first fails after ten seconds. */
  readonly maxConnections?: number;
}

/** Starts a server with its own database, a realm and users, on a free port. */
export async function startTestChat(options: TestChatOptions = {}): Promise<TestChat> {
  const config = { ...readConfig({ ...environment, ...options.env }), ...options.config };
  const place = { secret: config.secret, externalHost: new URL(config.externalUrl).hostname };
  const created = await createTestDatabase<Tables, TestRealm>({
    migrations: serverMigrations,
    maxConnections: options.maxConnections ?? MAX_CONNECTIONS,
    fill: fillRealm(place),
  });
  const db = created.database;
  const { realm_id, accounts } = created.filled;
  // Databases that are copies of one have different realms: a bouncer may serve several.
  await db.kysely
    .updateTable('realm')
    .set({ uuid: randomUUID(), uuid_owner_secret: newSecret(64) })
    .where('id', '=', realm_id)
    .execute();
  const lines: string[] = [];
  const mails: OutgoingMail[] = [];
  const sendsReally = Object.keys(options.env ?? {}).some((name) =>
    ['BELLHOP_SMTP_HOST', 'BELLHOP_MAIL_OUTBOX'].includes(name),
  );
  const seen = compareWithContract();
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const disposers: (() => Promise<void>)[] = [async () => created[Symbol.asyncDispose]()];
  const { now } = options;
  const start = async (database: Database<Tables>): Promise<TestNode> => {
    const server = await createServer({
      config,
      db: database,
      log,
      jobPollMs: 100,
      keepUsersMs: options.keepUsersMs ?? 100,
      observer: seen.observer,
      ...(now ? { nowMs: () => now() * 1000 } : {}),
      ...(sendsReally ? {} : { mailer: collectInto(mails) }),
    });
    const listening = await listen(server.listener);
    disposers.unshift(async () => {
      await server.stop();
      await listening.stop(0);
    });
    return { url: listening.url, server };
  };
  const openAnother = ({ url: at = created.url, ...how }: NodeOptions = {}) =>
    openDatabase<Tables>(at, { maxConnections: MAX_CONNECTIONS, ...how });
  const anotherNode = async (how?: NodeOptions) => {
    const database = await openAnother(how);
    disposers.unshift(() => database.close());
    return start(database);
  };
  const { server, url } = await start(db);
  const realm = await server.app.realms.byId(realm_id);
  const personOf = (account: Account): Person => ({
    ...account,
    client: createClient({ url, email: account.email, apiKey: account.api_key }),
  });
  const addPerson: TestChat['addPerson'] = async (name, role = roles.member, extra = {}) =>
    personOf(
      await server.app.change(realm, ({ db: tx }) =>
        createAccount(tx, { ...place, realm_id }, { name, role, ...extra }),
      ),
    );
  const people = Object.fromEntries(
    [...accounts].map(([name, account]) => [name, personOf(account)]),
  );
  return {
    url,
    server,
    realm,
    people: people as TestChat['people'],
    mails,
    logged: () => lines.join(''),
    seen,
    openDatabase: openAnother,
    anotherNode,
    databaseUrl: created.url,
    addPerson,
    ask: (person, route, fields = {}) => ask(url, { person, route, fields }),
    [Symbol.asyncDispose]: async () => {
      for (const dispose of disposers) await dispose();
      seen.check();
    },
  };
}

const collectInto = (mails: OutgoingMail[]): Mailer => ({
  send: async (mail) => void mails.push(mail),
  kept: async (realm_id) => mails.filter((mail) => mail.realm_id === realm_id).toReversed(),
  close: () => {},
});

interface TestRequest {
  readonly person: Person | null;
  readonly route: string;
  readonly fields: Record<string, string>;
}

async function ask(url: string, { person, route, fields }: TestRequest): Promise<TestResponse> {
  const [method = 'GET', path = ''] = route.split(' ');
  const form = new URLSearchParams(fields);
  const isGet = method === 'GET';
  const response = await fetch(
    `${url}/api/v1${path}${isGet && form.size > 0 ? `?${form.toString()}` : ''}`,
    {
      method,
      headers: person
        ? { authorization: `Basic ${btoa(`${person.email}:${person.api_key}`)}` }
        : {},
      ...(isGet ? {} : { body: form }),
    },
  );
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}
