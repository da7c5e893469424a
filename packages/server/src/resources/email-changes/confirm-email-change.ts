import { type ApiError, badRequest } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Handlers } from '../../engine/resource.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import { requireMayChangeEmail } from '../../model/email-changes/access.ts';
import { emailChangedMail } from '../../model/email-changes/email-change-mails.ts';
import * as queries from '../../model/email-changes/queries.ts';
import { personAddress } from '../../model/users/person-details.ts';
import * as users from '../../model/users/queries.ts';
import { endDevicesOfLogins } from '../devices/end-devices.ts';
import { endInvites } from '../invites/end-invites.ts';
import { changingProfile } from '../user-events/emit-user-changes.ts';

/** A change that may be confirmed now, with its active user. */
interface OpenEmailChange {
  readonly user: User;
  readonly new_email: string;
}

/** The change with this key. Undefined if it has expired, was replaced or confirmed. */
export async function openEmailChange(
  db: Db,
  { app, realm }: { readonly app: Pick<App, 'secrets' | 'now'>; readonly realm: Pick<Realm, 'id'> },
  key: string,
): Promise<OpenEmailChange | undefined> {
  const token_mac = app.secrets.mac(key);
  const row = await queries.byToken(db, realm.id, { token_mac, now: app.now() });
  const user = row && (await users.byId(db, realm.id, row.user_id));
  if (!user?.is_active || user.delivery_email !== row?.former_email) return undefined;
  return { user, new_email: row.new_email };
}

export const noEmailChange = (): ApiError =>
  badRequest('This link is not valid: it has expired, was used before, or a newer one was sent.');

/**
 * Gives a user the address whose mail had this key, and notifies the former address. Ends their
 * event queues and push devices: clients log in by the address. Throws BAD_REQUEST if the change is not valid any
 * more or the address was taken.
 */
export const confirmEmailChange: Handlers<'emailChanges'>['confirm'] = async (call) => {
  const { app, realm, params, db } = call;
  const open = await openEmailChange(db, { app, realm }, params.key);
  if (!open) throw noEmailChange();
  const { user, new_email } = open;
  requireMayChangeEmail(realm, user);
  const delivery_email = await personAddress(db, realm, { email: new_email, own: user.id });
  await queries.remove(db, user);
  await changingProfile(call, { realm, user }, async () => {
    await users.update(db, user, { delivery_email });
    await call.endLogins(user);
  });
  await endDevicesOfLogins(call, user);
  await endInvites(call, realm, delivery_email);
  await enqueueMails(call, { app, realm }, [emailChangedMail({ realm, user, new_email })]);
  return { user_id: user.id, email: delivery_email };
};
