import { roles } from '@bellhop/protocol/plain';

import { inlineCode } from '../commands/markdown-code.ts';
import type { Context } from '../context.ts';
import type { RoleName } from '../role-name.ts';
import { given, type Turn } from './turn.ts';

export interface Permission<Session> {
  /**
   * Who may use the command: users with this role or a higher one, or those for whom the function
   * returns true. A role needs `api`: it is looked up on the server.
   */
  readonly allow?: RoleName | ((context: Context<Session>) => boolean | Promise<boolean>);
}

/** A permission of any command. */
export type Allowed = RoleName | ((context: never) => boolean | Promise<boolean>);

/** Whether the sender of a message has a role or a higher one, or a function permits it. */
export async function mayUse(turn: Turn, allow: Allowed): Promise<boolean> {
  if (typeof allow === 'function') return allow(given(turn));
  const { role } = await turn.context.user();
  return roles[role] <= roles[allow];
}

/** The reply to a user who may not use a command. */
export const refusal = (command: string, allow: Allowed): string =>
  typeof allow === 'string'
    ? `${inlineCode(command)} is for people with the role ${allow} or above.`
    : `You may not use ${inlineCode(command)}.`;
