import {
  ApiError,
  badRequest,
  type ChannelId,
  type ParamsOf,
  messages,
  type UserId,
} from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import * as users from '../users/queries.ts';

type To = ParamsOf<typeof messages.send>['to'];

/** The channel that `to` names: a name, an id, or a list of one of them. */
export function channelOf(to: To): { name: string } | { id: ChannelId } {
  const one = Array.isArray(to) ? to[0] : to;
  if (one === undefined || (Array.isArray(to) && to.length > 1))
    throw badRequest('Expected exactly one channel');
  return typeof one === 'number' ? { id: one as ChannelId } : { name: one.trim() };
}

export const noSuchChannel = (place: { name: string } | { id: ChannelId }): ApiError =>
  'id' in place
    ? new ApiError('STREAM_DOES_NOT_EXIST', {
        message: `Channel with ID '${place.id}' does not exist`,
        data: { stream_id: place.id },
      })
    : new ApiError('STREAM_DOES_NOT_EXIST', {
        message: `Channel '${place.name}' does not exist`,
        data: { stream: place.name },
      });

/**
 * The participants of the direct message that `to` addresses, the sender among them. Throws
 * BAD_REQUEST for nobody, for somebody unknown or deactivated, and for ids mixed with addresses.
 */
export async function participantsOf(
  db: Db,
  { realm, sender }: { realm: Realm; sender: User },
  to: To,
): Promise<User[]> {
  if (typeof to === 'number')
    throw badRequest('Recipient list: expected a list of user IDs, as [12]');
  const listed =
    typeof to === 'string'
      ? to
          .split(',')
          .map((email) => email.trim())
          .filter(Boolean)
      : to;
  if (listed.length === 0) throw badRequest('Message must have recipients');
  const ids = listed.filter((item): item is UserId => typeof item === 'number');
  const emails = listed.filter((item) => typeof item === 'string');
  if (ids.length > 0 && emails.length > 0)
    throw badRequest('Recipient lists may contain emails or user IDs, but not both.');
  const found =
    ids.length > 0 ? await users.byIds(db, realm.id, ids) : await byAddress(db, realm, emails);
  if (ids.length > 0 && found.length < new Set(ids).size) {
    const known = new Set<number>(found.map(({ id }) => id));
    throw badRequest(`Invalid user ID ${ids.find((id) => !known.has(id))}`);
  }
  const gone = found.find(({ is_active }) => !is_active);
  if (gone) throw badRequest(`'${gone.delivery_email}' is no longer using this server.`);
  return found.some(({ id }) => id === sender.id) ? found : [...found, sender];
}

/** Users by e-mail address, real or as the API shows it. Throws BAD_REQUEST for one that is unknown. */
export async function byAddress(db: Db, realm: Realm, emails: readonly string[]): Promise<User[]> {
  const hidden = emails
    .map((email) => /^user(\d+)@/.exec(email)?.[1])
    .filter((id) => id !== undefined);
  const [byEmail, byId] = await Promise.all([
    users.byEmails(db, realm.id, emails),
    users.byIds(db, realm.id, hidden.map(Number)),
  ]);
  const known = new Set(byEmail.map(({ delivery_email }) => delivery_email.toLowerCase()));
  const byHidden = new Map(byId.map((user) => [`user${user.id}`, user]));
  const unknown = emails.find(
    (email) => !known.has(email.toLowerCase()) && !byHidden.has(email.split('@')[0] ?? ''),
  );
  if (unknown !== undefined) throw badRequest(`Invalid email '${unknown}'`);
  return [...new Map([...byEmail, ...byId].map((user) => [user.id, user])).values()];
}
