import { roles } from '@bellhop/protocol/plain';

import type { Context } from '../context.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import type { RoleName } from '../role-name.ts';
import { inlineCode } from './markdown-code.ts';

export interface Permission<Session> {
  /**
   * Who may use the command: users with this role or a higher one, or those for whom the function
   * returns true. A role needs `api`: it is looked up on the server.
   */
  readonly allow?: RoleName | ((context: Context<Session>) => boolean | Promise<boolean>);
}

export type Allowed = NonNullable<Permission<never>['allow']>;

/** Whether the sender of a message has a role or a higher one, or a function permits it. */
export async function mayUse(context: DeliveryContext, allow: Allowed): Promise<boolean> {
  if (typeof allow === 'function') return allow(context as unknown as Context<never>);
  const { role } = await context.user();
  return roles[role] <= roles[allow];
}

/** The reply to a user who may not use a command. */
export const refusal = (command: string, allow: Allowed): string =>
  typeof allow === 'string'
    ? `${inlineCode(command)} is for people with the role ${allow} or above.`
    : `You may not use ${inlineCode(command)}.`;
