import type { User } from '@bellhop/protocol';
import { roles } from '@bellhop/protocol/plain';

import { BotError } from '../bot-error.ts';
import type { Person } from '../delivery.ts';
import type { RoleName } from '../role-name.ts';

/** A user, as a look-up on the server finds them. */
export interface UserProfile extends Person {
  readonly role: RoleName | 'guest';
  /** An IANA time zone such as `Europe/Berlin`; empty if the user has not set one. */
  readonly timezone: string;
  readonly isBot: boolean;
  /** False for a deactivated user. */
  readonly isActive: boolean;
}

const namesOfRoles = new Map(
  Object.entries(roles).map(([name, role]) => [role as number, name as keyof typeof roles]),
);

export const profileOf = (user: User): UserProfile => ({
  id: user.user_id,
  email: user.email,
  fullName: user.full_name,
  role: namesOfRoles.get(user.role) ?? 'guest',
  timezone: user.timezone,
  isBot: user.is_bot,
  isActive: user.is_active,
});

/** The one user of a name; deactivated ones do not count. Throws BotError `api_rejected`. */
export function onlyUser<P extends Pick<UserProfile, 'fullName' | 'isActive'>>(
  people: readonly P[],
  { fullName }: { readonly fullName: string },
): P {
  const [found, another] = people.filter((one) => one.isActive && one.fullName === fullName);
  if (found !== undefined && another === undefined) return found;
  const message = found
    ? `Several users are called ${fullName}: mention the one with the ID, as \`@**${fullName}|12**\`.`
    : `There is no user ${fullName}.`;
  throw new BotError('api_rejected', message);
}
