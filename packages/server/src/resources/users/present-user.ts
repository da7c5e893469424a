import type { User as UserRecord } from '@bellhop/protocol';

import type { Presenter } from '../../engine/stored-event.ts';
import { isGravatar } from './user-record.ts';

/** Omits the avatar for clients that compute it (`client_gravatar`) from an address they know. */
export const presentUser: Presenter = ({ payload }, { registration: { client_gravatar } }) => {
  const person = payload['person'] as Partial<UserRecord>;
  const computable =
    client_gravatar &&
    typeof person.avatar_url === 'string' &&
    isGravatar(person.avatar_url) &&
    person.email !== undefined &&
    person.email === person.delivery_email;
  return [computable ? { ...payload, person: { ...person, avatar_url: null } } : payload];
};
