import type { Realm, User } from '../../engine/caller.ts';
import { composeMail, type Mail, mailName } from '../../mail/mail.ts';

interface Deactivation {
  readonly realm: Pick<Realm, 'name' | 'url'>;
  /** The deactivated user. */
  readonly user: Pick<User, 'full_name' | 'delivery_email'>;
  /** The administrator who deactivated the user. */
  readonly by: Pick<User, 'full_name'>;
  /** The comment of the administrator for the user; may be empty. */
  readonly comment: string;
}

/** Tells a user that their account was deactivated (spec, Deactivate a user). */
export const deactivationMail = ({ realm, user, by, comment }: Deactivation): Mail =>
  composeMail({
    to: user.delivery_email,
    realm,
    subject: `Your account at ${mailName(realm.name)} was deactivated`,
    blocks: [
      `Hello ${mailName(user.full_name)},`,
      `${mailName(by.full_name)} has deactivated your account at ${mailName(realm.name)} (${realm.url}). You can no longer sign in.`,
      ...(comment.trim() === ''
        ? []
        : [`${mailName(by.full_name)} wrote:`, { quote: comment.trim() }]),
    ],
  });
