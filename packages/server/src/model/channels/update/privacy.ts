import { badRequest } from '@bellhop/protocol';

import type { ChannelRow } from '../channel-rows.ts';

export type Privacy = Pick<
  ChannelRow,
  'invite_only' | 'is_web_public' | 'history_public_to_subscribers'
>;

interface PrivacyChange {
  readonly is_private?: boolean | undefined;
  readonly is_web_public?: boolean | undefined;
  readonly history_public_to_subscribers?: boolean | undefined;
}

/**
 * The privacy of a channel after a change. Like on the public server, a channel that becomes private
 * is no longer web-public and protects its history by default, and one that becomes web-public is no
 * longer private. Throws BAD_REQUEST for a channel that would be both.
 */
export function changedPrivacy(current: Privacy, change: PrivacyChange): Privacy {
  const is_web_public =
    change.is_web_public ?? (change.is_private === true ? false : current.is_web_public);
  const invite_only =
    change.is_private ?? (change.is_web_public === true ? false : current.invite_only);
  if (invite_only && is_web_public) throw badRequest('A web-public channel cannot be private.');
  const known = current.invite_only && current.history_public_to_subscribers;
  return {
    invite_only,
    is_web_public,
    history_public_to_subscribers: !invite_only || (change.history_public_to_subscribers ?? known),
  };
}

export const isSamePrivacy = (one: Privacy, other: Privacy): boolean =>
  one.invite_only === other.invite_only &&
  one.is_web_public === other.is_web_public &&
  one.history_public_to_subscribers === other.history_public_to_subscribers;

/** The privacy of a channel in words, for notices. */
export function privacyName(privacy: Privacy): string {
  if (privacy.is_web_public) return 'Web-public';
  if (!privacy.invite_only) return 'Public';
  return privacy.history_public_to_subscribers
    ? 'Private, shared history'
    : 'Private, protected history';
}
