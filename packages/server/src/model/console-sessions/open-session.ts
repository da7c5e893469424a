import { badRequest, MAX_CONSOLE_ACCOUNTS } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { ConsoleRequest } from '../../engine/console-request.ts';
import { newSecret } from '../../engine/secrets.ts';
import { findSession, hashOf } from './find-session.ts';
import * as queries from './queries.ts';

const SESSION_SECONDS = 30 * 86_400;
const MAX_SESSIONS_PER_USER = 50;

interface Opening {
  readonly app: App;
  readonly realm: Realm;
  readonly request: ConsoleRequest;
}

/**
 * Adds users to the session of the request, or to a new one. Returns the page's half of a new session.
 * Throws BAD_REQUEST if the session would have too many accounts.
 */
export async function openSession(
  tx: Tx,
  users: readonly User[],
  { app, realm, request }: Opening,
): Promise<{ console_key: string | null; session: { readonly users: readonly User[] } }> {
  const now = app.now();
  const known = await findSession({ db: tx, now: app.now }, realm, request);
  const others = (known?.users ?? []).filter((one) => !users.some(({ id }) => id === one.id));
  if (others.length + users.length > MAX_CONSOLE_ACCOUNTS)
    throw badRequest(
      `The console holds ${MAX_CONSOLE_ACCOUNTS} accounts: sign out of one before you add another.`,
    );
  const console_key = known ? null : newSecret();
  const session_id = known?.id ?? (await newSession(tx, { app, realm, request }, console_key));
  for (const user of users) {
    await queries.addAccount(tx, user, { session_id, now });
    await queries.removeOldest(tx, user, MAX_SESSIONS_PER_USER);
  }
  return { console_key, session: { users: [...others, ...users] } };
}

async function newSession(
  tx: Tx,
  { app, realm, request }: Opening,
  key: string | null,
): Promise<number> {
  const cookie = newSecret();
  const now = app.now();
  const halves = { key_hash: hashOf(key ?? ''), cookie_hash: hashOf(cookie) };
  const expires_at = now + SESSION_SECONDS;
  const id = await queries.insert(tx, { realm_id: realm.id, ...halves, expires_at }, now);
  request.setCookie(cookie, SESSION_SECONDS);
  return id;
}
