import type { EventOf, User as UserRecord, UserId } from '@bellhop/protocol';

import type { Presenter } from '../../engine/stored-event.ts';
import { isGravatar } from '../../model/users/user-record.ts';

declare module '../../engine/stored-event.ts' {
  interface StoredEvents {
    realm_user: EventOf<'realm_user'> & {
      /** Every client that gets the event can compute the avatar in it. */
      readonly is_computable?: boolean;
      /** The event adds an unknown user: clients with `user_list_incomplete` do not get it. */
      readonly is_unknown?: boolean;
      /** A user who does not get the event although it is for their role. */
      readonly not_for?: UserId;
    };
  }
}

/**
 * Omits the avatar for clients that compute it (`client_gravatar`) from an address they know, except
 * their own user's, and unknown users for clients that do not need them.
 */
export const presentUser: Presenter = ({ payload }, { registration, user_id }) => {
  const { client_gravatar, capabilities } = registration;
  const { is_computable = false, is_unknown = false, not_for, ...event } = payload;
  if (not_for === user_id) return [];
  if (is_unknown === true && capabilities.user_list_incomplete) return [];
  const person = event['person'] as Partial<UserRecord>;
  const knowsAddress = person.email !== undefined && person.email === person.delivery_email;
  const omits =
    client_gravatar &&
    person.user_id !== user_id &&
    typeof person.avatar_url === 'string' &&
    isGravatar(person.avatar_url) &&
    (knowsAddress || is_computable === true);
  if (!omits) return [event];
  const medium = 'avatar_url_medium' in person ? { avatar_url_medium: null } : {};
  return [{ ...event, person: { ...person, avatar_url: null, ...medium } }];
};
