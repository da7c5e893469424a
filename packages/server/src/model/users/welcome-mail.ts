import type { Realm, User } from '../../engine/caller.ts';
import { composeMail, type Mail, mailName } from '../../mail/mail.ts';

/** Tells a new user how to sign in (`send_welcome_emails` of the realm). */
export const welcomeMail = (
  realm: Pick<Realm, 'name' | 'url'>,
  user: Pick<User, 'full_name' | 'delivery_email'>,
): Mail =>
  composeMail({
    to: user.delivery_email,
    realm,
    subject: `Your account at ${mailName(realm.name)}`,
    blocks: [
      `Hello ${mailName(user.full_name)},`,
      `your account at ${mailName(realm.name)} is ready. Sign in with this e-mail address and your password.`,
      { label: 'The server', url: realm.url },
    ],
  });
