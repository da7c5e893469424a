import type { Realm, User } from '../../engine/caller.ts';
import { composeMail, type Mail, mailName } from '../../mail/mail.ts';

export const CONFIRM_EMAIL_PATH = '/confirm_email/';

interface EmailChange {
  readonly realm: Pick<Realm, 'name' | 'url'>;
  readonly user: Pick<User, 'full_name' | 'delivery_email'>;
  readonly new_email: string;
}

/** Asks at the new address whether it is the user's. */
export const confirmEmailMail = ({ realm, user, new_email }: EmailChange, token: string): Mail =>
  composeMail({
    to: new_email,
    realm,
    subject: `Confirm your e-mail address at ${mailName(realm.name)}`,
    blocks: [
      `Hello ${mailName(user.full_name)},`,
      `this shall be the e-mail address of your account at ${mailName(realm.name)}, in place of ${user.delivery_email}.`,
      { label: 'Confirm it', url: `${realm.url}${CONFIRM_EMAIL_PATH}${token}` },
      'The link works once, for a day. If you did not ask for it, ignore this mail: nothing changes.',
    ],
  });

/** Tells the owner of an address that somebody who does not see their account named it. */
export const takenEmailMail = ({ realm, new_email }: EmailChange): Mail =>
  composeMail({
    to: new_email,
    realm,
    subject: `Your account at ${mailName(realm.name)}`,
    blocks: [
      'Hello,',
      `somebody with another account at ${mailName(realm.name)} wants to use this e-mail address, which your account there has. Nothing has changed.`,
      'If it was you, give this account another address first.',
    ],
  });

/** Tells the former address, in case the change was not the user's own. */
export const emailChangedMail = ({ realm, user, new_email }: EmailChange): Mail =>
  composeMail({
    to: user.delivery_email,
    realm,
    subject: `Your e-mail address at ${mailName(realm.name)} has changed`,
    blocks: [
      `Hello ${mailName(user.full_name)},`,
      `the e-mail address of your account at ${mailName(realm.name)} is now ${new_email}. Sign in with it from now on.`,
      'If you did not change it, tell an administrator of the organization.',
    ],
  });
