import { limitedAddress } from '@bellhop/http';

import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { countMails } from '../../mail/count-mails.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import { loginMail } from '../../model/accounts/login-mail.ts';
import * as queries from '../../model/accounts/queries.ts';
import { settingOf } from '../../model/users/user-settings.ts';

/** A login within this time belongs to creating the account. */
const NEW_ACCOUNT_SECONDS = 60;
const DAILY_MAILS = 5;

interface Login {
  readonly app: App;
  readonly realm: Realm;
  readonly user: User;
  readonly client: string;
  readonly ip: string;
}

/**
 * Remembers from where a user logs in, and sends a mail about a new device: a program or a network that
 * the user has not logged in with before. At most five mails a day.
 */
export async function noticeLogin(
  { db, enqueueAll }: Pick<Change, 'db' | 'enqueueAll'>,
  { app, realm, user, client, ip }: Login,
): Promise<void> {
  const now = app.now();
  const device = app.secrets.mac(`${client} ${limitedAddress(ip)}`);
  const isNew = await queries.rememberLogin(db, user, { device, now });
  const isJustCreated = now - user.date_joined.getTime() / 1000 < NEW_ACCOUNT_SECONDS;
  if (!isNew || isJustCreated || !settingOf('enable_login_emails', { user })) return;
  const counted = { realm_id: realm.id, subjects: [`logins of ${user.id}`], limit: DAILY_MAILS };
  if ((await countMails(db, { ...counted, now })).size === 0) return;
  const mail = loginMail({ realm, user, client, ip, now });
  await enqueueMails({ enqueueAll }, { app, realm }, [mail]);
}
