import { enqueue } from '@bellhop/jobs';
import { openDatabase } from '@bellhop/postgres';
import { type RealmId, type Role, roles } from '@bellhop/protocol';

import { readConfig } from './config.ts';
import type { Tx } from './engine/call.ts';
import type { User } from './engine/caller.ts';
import { createRealm, createUser, secretsOf, type Tables } from './provision.ts';
import { jobs } from './resources.ts';

const cast = {
  desdemona: roles.owner,
  iago: roles.admin,
  shiva: roles.moderator,
  hamlet: roles.member,
  cordelia: roles.member,
  polonius: roles.guest,
} as const;
export type CastName = keyof typeof cast;

export interface Account {
  readonly user: User;
  readonly email: string;
  readonly api_key: string;
}
/** A realm with an account per role, two of members. */
export interface TestRealm {
  readonly realm_id: RealmId;
  readonly accounts: ReadonlyMap<CastName, Account>;
}
/** The server of a realm. */
export interface Place {
  readonly secret: string;
  readonly externalHost: string;
}

type FillRealm = (url: string) => Promise<TestRealm>;
const fillers = new Map<string, FillRealm>();

/** Creates the realm in a database. The same function for equal servers: their databases are copies of one. */
export function fillRealm(place: Place): FillRealm {
  const key = JSON.stringify(place);
  const filler = fillers.get(key) ?? ((url) => createTestRealm(url, place));
  fillers.set(key, filler);
  return filler;
}

async function createTestRealm(url: string, place: Place): Promise<TestRealm> {
  await using db = await openDatabase<Tables>(url, { maxConnections: 1 });
  return await db.transaction(async (tx) => {
    const secrets = secretsOf(place.secret);
    const { externalHost } = place;
    const realm_id = await createRealm(
      tx,
      { secrets, externalHost },
      { subdomain: '', name: 'Test' },
    );
    const accounts = new Map<CastName, Account>();
    for (const [name, role] of Object.entries(cast) as [CastName, Role][])
      accounts.set(name, await createAccount(tx, { ...place, realm_id }, { name, role }));
    await postponeRecurringJobs(tx, place);
    return { realm_id, accounts };
  });
}

/**
 * Adds the next run of each recurring job for the year 2100. Otherwise they would run at the beginning of
 * an hour, between two steps of a test.
 */
async function postponeRecurringJobs(tx: Tx, { secret, externalHost }: Place): Promise<void> {
  const BELLHOP_EXTERNAL_URL = `http://${externalHost}`;
  const config = readConfig({ BELLHOP_SECRET: secret, BELLHOP_EXTERNAL_URL });
  const next = { dedupe: 'repeating', runAt: new Date('2100-01-01') };
  for (const job of jobs(config))
    if (job.everySeconds !== undefined) await enqueue(tx, job, {}, next);
}

interface NewAccount {
  readonly name: string;
  readonly role: Role;
  readonly password?: string;
}

/** Creates a user with an address at the server. */
export async function createAccount(
  tx: Tx,
  { realm_id, secret, externalHost }: Place & { readonly realm_id: RealmId },
  { name, role, ...more }: NewAccount,
): Promise<Account> {
  const email = `${name.replaceAll(' ', '-')}@${externalHost}`;
  const full_name = name[0]?.toUpperCase() + name.slice(1);
  const { user, api_key } = await createUser(
    tx,
    { realm: { id: realm_id }, secrets: secretsOf(secret) },
    { email, full_name, role, manages_accounts: role === roles.owner, ...more },
  );
  return { user, email, api_key };
}
