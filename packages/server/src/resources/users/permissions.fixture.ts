import { roles } from '@bellhop/protocol';

import type { PermissionCases } from '../../permission-case.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

let people = 0;
async function newPerson(chat: TestChat, role: typeof roles.owner | typeof roles.member) {
  const { user } = await chat.addPerson(`case${++people}`, role);
  return { user_id: String(user.id) };
}
const newOwner = (chat: TestChat) => newPerson(chat, roles.owner);

export const permissions: PermissionCases = {
  'PATCH /users/{user_id}: make a user an owner': async (chat) => ({
    sample: { ...(await newPerson(chat, roles.member)), role: String(roles.owner) },
  }),
  'PATCH /users/{user_id}: change the address of a user': async (chat) => ({
    sample: { ...(await newPerson(chat, roles.member)), new_email: `new${++people}@chat.test` },
  }),
  'PATCH /users/{user_id}: change addresses of users': async (chat) => ({
    sample: { ...(await newPerson(chat, roles.member)), new_email: `new${++people}@chat.test` },
  }),
  'PATCH /users/{user_id}: change an owner': async (chat) => ({
    sample: { ...(await newOwner(chat)), role: String(roles.admin) },
  }),
  'DELETE /users/{user_id}: change an owner': async (chat) => ({ sample: await newOwner(chat) }),
  'POST /users/{user_id}/reactivate: change an owner': async (chat) => {
    const owner = await newOwner(chat);
    const { users } = chat.people.desdemona.client;
    await users.deactivate({ user_id: Number(owner.user_id) as never });
    return { sample: owner };
  },
};
