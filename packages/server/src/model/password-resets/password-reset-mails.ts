import type { Realm, User } from '../../engine/caller.ts';
import { composeMail, type Mail, mailName } from '../../mail/mail.ts';

interface PasswordReset {
  readonly realm: Pick<Realm, 'name' | 'url'>;
  readonly user: Pick<User, 'full_name' | 'delivery_email'>;
}

/** Has the link with which a user chooses a new password. `by` is the administrator who sends it. */
export const resetPasswordMail = (
  { realm, user }: PasswordReset,
  { url, by }: { readonly url: string; readonly by?: Pick<User, 'full_name'> },
): Mail =>
  composeMail({
    to: user.delivery_email,
    realm,
    subject: `Choose a new password for ${mailName(realm.name)}`,
    blocks: [
      `Hello ${mailName(user.full_name)},`,
      by
        ? `${mailName(by.full_name)}, who administers ${mailName(realm.name)} (${realm.url}), sends you this link to choose a new password.`
        : `somebody asked for a new password for your account at ${mailName(realm.name)} (${realm.url}). If it was you, go on here.`,
      { label: 'Choose a new password', url },
      'The link works once, for a day, until a newer one is sent. A new password ends all your sessions: sign in again with your phones and apps, and give your programs the new API key.',
      'If you do not want a new password, ignore this mail: nothing changes.',
    ],
  });

/** Tells a person who asks for a new password that their account is deactivated. */
export const deactivatedAccountMail = ({ realm, user }: PasswordReset): Mail =>
  composeMail({
    to: user.delivery_email,
    realm,
    subject: `Your account at ${mailName(realm.name)}`,
    blocks: [
      `Hello ${mailName(user.full_name)},`,
      `somebody asked for a new password for your account at ${mailName(realm.name)} (${realm.url}).`,
      'The account was deactivated: ask an administrator to reactivate it.',
    ],
  });

/** Tells a user of a new password, in case it was not they who chose it. */
export const passwordResetMail = ({ realm, user }: PasswordReset): Mail =>
  composeMail({
    to: user.delivery_email,
    realm,
    subject: `Your password at ${mailName(realm.name)} has changed`,
    blocks: [
      `Hello ${mailName(user.full_name)},`,
      `your account at ${mailName(realm.name)} (${realm.url}) has a new password, which was chosen with a link. All sessions have ended, and your API key is a new one.`,
      'If it was not you, tell an administrator of the organization.',
    ],
  });
