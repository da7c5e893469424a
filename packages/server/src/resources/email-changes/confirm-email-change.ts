import { type ApiError, badRequest } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Change, Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import { requireMayChangeEmail } from '../../model/email-changes/access.ts';
import { emailChangedMail } from '../../model/email-changes/email-change-mails.ts';
import * as queries from '../../model/email-changes/queries.ts';
import * as realms from '../../model/realms/queries.ts';
import { personAddress } from '../../model/users/person-details.ts';
import * as users from '../../model/users/queries.ts';
import { endLogins } from '../../model/users/renew-api-key.ts';
import { endDevicesOfLogins } from '../devices/end-devices.ts';
import { endInvites } from '../invites/end-invites.ts';
import { changingProfile } from '../users/emit-user-changes.ts';

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

interface Confirmation {
  readonly app: App;
  readonly realm: Realm;
  readonly change: <T>(
    work: (change: Change<'realm_user' | 'invites_changed' | 'push_device'>) => Promise<T>,
  ) => Promise<T>;
}

/**
 * Gives a user the address whose mail had this key, and notifies the former address. Ends their
 * event queues and push devices: clients log in by the address. Throws BAD_REQUEST if the change is not valid any
 * more or the address was taken.
 */
export async function confirmEmailChange(
  { app, realm, change }: Confirmation,
  key: string,
): Promise<{ readonly id: User['id']; readonly email: string }> {
  const confirmed = await change(async (confirming) => {
    const { db } = confirming;
    await realms.lock(db, realm.id);
    const open = await openEmailChange(db, { app, realm }, key);
    if (!open) throw noEmailChange();
    const { user, new_email } = open;
    requireMayChangeEmail(realm, user);
    const delivery_email = await personAddress(db, realm, { email: new_email, own: user.id });
    await queries.remove(db, user);
    await changingProfile(confirming, { realm, user }, async () => {
      await users.update(db, user, { delivery_email });
      await endLogins(app, db, user);
    });
    await endDevicesOfLogins(confirming, user);
    await endInvites(confirming, realm, delivery_email);
    await enqueueMails(confirming, { app, realm }, [emailChangedMail({ realm, user, new_email })]);
    return { id: user.id, email: delivery_email };
  });
  await app.users.forgotten();
  return confirmed;
}
