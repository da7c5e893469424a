import type { Realm, User } from '../../engine/caller.ts';
import { composeMail, type Mail, mailName } from '../../mail/mail.ts';

export interface InvitationLink {
  readonly realm: Pick<Realm, 'name' | 'url'>;
  readonly email: string;
  readonly token: string;
  /** UNIX time in seconds; null: never. */
  readonly expires_at: number | null;
}

/** The address of the page on which an invitation is accepted. */
export const invitationUrl = ({ url }: Pick<Realm, 'url'>, token: string): string =>
  `${url}/join/${token}`;

/** Invites somebody in the name of a user. */
export function invitationMail(
  { realm, email, token, expires_at }: InvitationLink,
  inviter: Pick<User, 'full_name'>,
): Mail {
  const what = `${mailName(inviter.full_name)} invites you to ${mailName(realm.name)}`;
  return composeMail({
    to: email,
    realm,
    subject: what,
    blocks: [
      'Hello,',
      `${what}, where people talk in channels and topics.`,
      { label: 'Accept the invitation', url: invitationUrl(realm, token) },
      `The link is for you alone, and works once${until(expires_at)}. If you do not want to join, ignore this mail.`,
    ],
  });
}

/** Lets somebody join who asked to: with a reusable link, or where nobody needs an invitation. */
export const confirmationMail = ({ realm, email, token, expires_at }: InvitationLink): Mail =>
  composeMail({
    to: email,
    realm,
    subject: `Join ${mailName(realm.name)}`,
    blocks: [
      'Hello,',
      `somebody who wants to join ${mailName(realm.name)} gave this e-mail address. If it was you, go on here.`,
      { label: 'Create your account', url: invitationUrl(realm, token) },
      `The link is for you alone, and works once${until(expires_at)}. If it was not you, ignore this mail.`,
    ],
  });

/** Tells somebody who wants to join that they have an account. */
export const knownAddressMail = (
  realm: InvitationLink['realm'],
  { email, is_active }: { readonly email: string; readonly is_active: boolean },
): Mail =>
  composeMail({
    to: email,
    realm,
    subject: `Your account at ${mailName(realm.name)}`,
    blocks: [
      'Hello,',
      `somebody who wants to join ${mailName(realm.name)} gave this e-mail address, which has an account there already.`,
      is_active
        ? `Sign in at ${realm.url} with your password.`
        : 'The account was deactivated: ask an administrator to reactivate it.',
    ],
  });

const until = (expires_at: number | null): string =>
  expires_at === null
    ? ''
    : `, until ${new Date(expires_at * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
