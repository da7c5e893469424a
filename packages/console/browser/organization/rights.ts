import { type InitialState, type Role, roles } from '@bellhop/protocol';

import { isNamedBy } from './groups/membership.ts';

/** The rights of the user of an account in the organization, according to the state. */
export interface Rights {
  readonly role: Role;
  readonly isOwner: boolean;
  /** Also true for owners. */
  readonly isAdmin: boolean;
  readonly isGuest: boolean;
  /** Whether a permission of the realm names the user: `can_invite_users_group`. */
  readonly may: (permission: string) => boolean;
}

export function rightsOf(state: InitialState, user_id: number): Rights {
  const own = state.realm_users?.find((user) => user.user_id === user_id);
  const role = own?.role ?? roles.guest;
  const value = (permission: string) => state[`realm_${permission}` as keyof InitialState];
  return {
    role,
    isOwner: role === roles.owner,
    isAdmin: role <= roles.admin,
    isGuest: role === roles.guest,
    may: (permission) => isNamedBy(state, value(permission), user_id),
  };
}

/** The roles that a user with this role gives to others and may take from them. */
export const rolesGivenBy = ({ isOwner, isAdmin }: Rights): readonly Role[] => {
  const all = Object.values(roles);
  if (isOwner) return all;
  return isAdmin ? all.slice(1) : all.slice(3);
};
