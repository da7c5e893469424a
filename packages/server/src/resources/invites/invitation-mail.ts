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

export const until = (expires_at: number | null): string =>
  expires_at === null
    ? ''
    : `, until ${new Date(expires_at * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
