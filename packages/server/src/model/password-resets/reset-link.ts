import { type ApiError, badRequest } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Db, Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { newSecret, type Secrets } from '../../engine/secrets.ts';
import { realmUrl } from '../realms/realm-url.ts';
import * as users from '../users/queries.ts';
import { requireSecret } from '../users/require-secret.ts';
import * as queries from './queries.ts';

export const RESET_PASSWORD_PATH = '/reset_password/';

/**
 * A day, as long as an address waits for new mails after it has got all of a day: whoever asks for mails
 * in the name of somebody else does not keep them from the last link.
 */
const SECONDS_TO_RESET = 86_400;

export interface LinkContext {
  readonly secrets: Secrets;
  readonly realm: Pick<Realm, 'id' | 'url'>;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** Stores a new link in place of an earlier one of the user, and returns its address. */
export async function newResetLink(
  tx: Tx,
  { secrets, realm, now }: LinkContext,
  { id, delivery_email }: Pick<User, 'id' | 'delivery_email'>,
): Promise<string> {
  const token = newSecret();
  await queries.removeExpired(tx, realm.id, now);
  await queries.replace(tx, {
    realm_id: realm.id,
    user_id: id,
    email: delivery_email,
    expires_at: now + SECONDS_TO_RESET,
    token_mac: secrets.mac(token),
  });
  return `${realm.url}${RESET_PASSWORD_PATH}${token}`;
}

export interface Operator extends Omit<LinkContext, 'realm'> {
  /** `BELLHOP_EXTERNAL_URL`. */
  readonly externalUrl: string;
  readonly realm: { readonly id: Realm['id']; readonly subdomain: string };
}

/**
 * The address of a new link for the person with this e-mail address, for the operator of the server.
 * Undefined if no active person has the address. Throws a WrongSecretError for the secret of another server.
 */
export async function operatorResetLink(
  tx: Tx,
  { secrets, now, externalUrl, realm: { id, subdomain } }: Operator,
  email: string,
): Promise<string | undefined> {
  await requireSecret(tx, secrets);
  const user = await users.byEmail(tx, id, email);
  if (!user?.is_active || user.is_bot) return undefined;
  const realm = { id, url: realmUrl(externalUrl, subdomain) };
  return newResetLink(tx, { secrets, realm, now }, user);
}

/**
 * The active person whose link has this key. Undefined if the link has expired or was used, a newer one
 * was made, or their address or password has changed since.
 */
export async function openReset(
  db: Db,
  { app, realm }: { readonly app: Pick<App, 'secrets' | 'now'>; readonly realm: Pick<Realm, 'id'> },
  key: string,
): Promise<User | undefined> {
  const token_mac = app.secrets.mac(key);
  const row = await queries.byToken(db, realm.id, { token_mac, now: app.now() });
  const user = row && (await users.byId(db, realm.id, row.user_id));
  return user?.is_active && user.delivery_email === row?.email ? user : undefined;
}

export const noReset = (): ApiError =>
  badRequest(
    'This link is not valid: it has expired, was used before, or a newer one was sent. Ask for another.',
  );
