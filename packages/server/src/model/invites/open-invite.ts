import { ApiError, badRequest } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { settingsOf } from '../realms/realm-settings.ts';
import * as users from '../users/queries.ts';
import { mayInvite, mayInviteAs } from './access.ts';
import * as queries from './queries.ts';
import type { InviteRow } from './queries.ts';

/** An invitation that may be accepted now. */
export interface OpenInvite {
  readonly invite: InviteRow;
  /** The active user who sent it; undefined if somebody signs up without an invitation. */
  readonly inviter: User | undefined;
}

/**
 * The invitation with this key. Undefined if the invitation expired, was revoked or used, or if its
 * sender was deactivated or may no longer invite people, or as this role; without a sender, if the realm
 * requires invitations now. What a sender grants is checked again when it is given.
 */
export async function openInvite(
  db: Db,
  { app, realm }: { readonly app: Pick<App, 'secrets' | 'now'>; readonly realm: Realm },
  key: string,
): Promise<OpenInvite | undefined> {
  const token_mac = app.secrets.mac(key);
  const invite = await queries.byToken(db, realm.id, { token_mac, now: app.now() });
  if (!invite) return undefined;
  if (invite.invited_by === null)
    return settingsOf(realm).invite_required ? undefined : { invite, inviter: undefined };
  const inviter = await users.byId(db, realm.id, invite.invited_by);
  if (!inviter || !mayInviteAs(inviter, invite.invited_as)) return undefined;
  const isLink = invite.email === null || invite.link_id !== null;
  return (await mayInvite(db, { realm, user: inviter }, isLink)) ? { invite, inviter } : undefined;
}

export const noInvite = (): ApiError =>
  badRequest('This invitation is not valid: it has expired, or was revoked or used before.');

/** Throws BAD_REQUEST if the address has an account, REALM_DEACTIVATED if nobody may join the realm. */
export async function requireNoAccount(
  db: Db,
  realm: Pick<Realm, 'id' | 'is_active'>,
  email: string,
): Promise<void> {
  if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
  const [account] = await users.byEmails(db, realm.id, [email]);
  if (!account) return;
  throw badRequest(
    account.is_active
      ? 'You already have an account with this e-mail address: sign in.'
      : 'Your account was deactivated: ask an administrator to reactivate it.',
  );
}
