import { createHash } from 'node:crypto';

import type { Exchange } from '@bellhop/http';
import { ApiError } from '@bellhop/protocol';

import type { LookUp } from '../../engine/address-limit.ts';
import type { App } from '../../engine/app.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { consoleRequest, type ConsoleRequest } from '../../engine/console-request.ts';
import * as users from '../users/queries.ts';
import * as queries from './queries.ts';

export interface ConsoleSession {
  readonly id: number;
  /** The users that are still signed in, deactivated ones included. */
  readonly users: readonly User[];
}
type Finding = Pick<App, 'now'> & { readonly db: Db };

export const hashOf = (half: string): Buffer => createHash('sha256').update(half).digest();

/** The session of a request; undefined if it has none or it has expired. */
export async function findSession(
  { db, now }: Finding,
  realm: Pick<Realm, 'id'>,
  { session }: ConsoleRequest,
): Promise<ConsoleSession | undefined> {
  if (!session) return undefined;
  const key_hash = hashOf(session.key);
  const cookie_hash = hashOf(session.cookie);
  const id = await queries.find(db, realm.id, { key_hash, cookie_hash, now: now() });
  if (id === undefined) return undefined;
  const accounts = await queries.accounts(db, realm.id, id);
  const keys = accounts.map(({ api_key_mac }) => ({ realm_id: realm.id, mac: api_key_mac }));
  const found = await users.byKeys(db, keys);
  return { id, users: found.filter((user) => user !== undefined) };
}

/** Finds the user of a call of the console. Throws UNAUTHORIZED. */
export const userOfConsole =
  (app: Finding) =>
  async (realm: Realm, exchange: Exchange, lookUp: LookUp): Promise<User> => {
    const request = consoleRequest(exchange, realm);
    const session = await lookUp(() => findSession(app, realm, request));
    const { account } = request;
    const user = session?.users.find(({ id }) => account === undefined || id === account);
    if (user) return user;
    throw new ApiError('UNAUTHORIZED', { message: 'Sign in to the console again.' });
  };
