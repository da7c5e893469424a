import type { Realm, User } from '../../engine/caller.ts';
import { composeMail, type Mail, mailName } from '../../mail/mail.ts';

interface Login {
  readonly realm: Pick<Realm, 'name' | 'url'>;
  readonly user: Pick<User, 'full_name' | 'delivery_email'>;
  /** The name of the program in the user agent. */
  readonly client: string;
  readonly ip: string;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** Tells a user of a sign-in from a program or a network that they did not use before. */
export const loginMail = ({ realm, user, client, ip, now }: Login): Mail =>
  composeMail({
    to: user.delivery_email,
    realm,
    subject: `New sign-in to ${mailName(realm.name)}`,
    blocks: [
      `Hello ${mailName(user.full_name)},`,
      `somebody has signed in to your account at ${mailName(realm.name)} (${realm.url}) with your password:`,
      `Time: ${new Date(now * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      `Program: ${mailName(client)}`,
      `Address: ${ip}`,
      'If it was you, there is nothing to do. If not, change your password, get a new API key, and tell an administrator.',
      'You can switch these mails off in your settings: Emails about new sign-ins.',
    ],
  });
