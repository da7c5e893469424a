import type { EventOf, User as UserRecord } from '@bellhop/protocol';

import type { Presenter } from '../../engine/stored-event.ts';
import { isGravatar } from './user-record.ts';

declare module '../../engine/stored-event.ts' {
  interface StoredEvents {
    /** With `is_computable`, every client that gets the event can compute the avatar in it. */
    realm_user: EventOf<'realm_user'> & { readonly is_computable?: boolean };
  }
}

/** Omits the avatar for clients that compute it (`client_gravatar`) from an address they know. */
export const presentUser: Presenter = ({ payload }, { registration: { client_gravatar } }) => {
  const { is_computable = false, ...event } = payload;
  const person = event['person'] as Partial<UserRecord>;
  const knowsAddress = person.email !== undefined && person.email === person.delivery_email;
  const omits =
    client_gravatar &&
    typeof person.avatar_url === 'string' &&
    isGravatar(person.avatar_url) &&
    (knowsAddress || is_computable === true);
  if (!omits) return [event];
  const medium = 'avatar_url_medium' in person ? { avatar_url_medium: null } : {};
  return [{ ...event, person: { ...person, avatar_url: null, ...medium } }];
};
