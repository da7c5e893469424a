import { type Api, type AskOf, type GroupSetting, type UserGroupId } from '@bellhop/protocol';
import { expect } from 'vitest';

import type { Person, TestChat } from '../../test-chat.fixture.ts';

let count = 0;

/** Hamlet, or somebody else, creates a group of which they are not a member. */
export async function createGroup(
  { people }: TestChat,
  fields: Partial<AskOf<Api['userGroups']['create']>> = {},
  { client }: Person = people.hamlet,
): Promise<UserGroupId> {
  const name = `group ${++count}`;
  return (await client.userGroups.create({ name, description: '', members: [], ...fields }))
    .group_id;
}

export const ids = (...people: Person[]) => people.map(({ user }) => user.id);

/** The value of a permission setting: these people alone. */
export const only = (...people: Person[]): GroupSetting => ({
  direct_members: ids(...people),
  direct_subgroups: [],
});

/** BAD_REQUEST with this message. */
export const refused = (message: string | RegExp): unknown =>
  expect.objectContaining({
    code: 'BAD_REQUEST',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
