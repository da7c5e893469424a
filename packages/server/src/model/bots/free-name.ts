import { badRequest } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { checkFullName } from '../users/create-user.ts';
import * as users from '../users/queries.ts';

/** A name for a bot, trimmed. Throws BAD_REQUEST if another active user has it. */
export async function freeName(db: Db, { id, realm_id }: User, name: string): Promise<string> {
  const full_name = checkFullName(name);
  const namesakes = await users.byFullNames(db, realm_id, [full_name]);
  if (namesakes.some((other) => other.is_active && other.id !== id))
    throw badRequest('Name is already in use!');
  return full_name;
}
