import { roles, type UserGroupId } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { commitTogether } from '../../commit-together.fixture.ts';
import { startTestChat, type TestChat, type TestResponse } from '../../test-chat.fixture.ts';

let chat: TestChat;
let managers = 0;
beforeAll(async () => (chat = await startTestChat()));
afterAll(() => chat[Symbol.asyncDispose]());

type Fields = (other: UserGroupId) => Record<string, string>;
const NO_GUESTS = 'Not allowed for guest users';
/** Each with its refusal of a guest: the contract lets guests change members. */
const requests: readonly (readonly [string, string, Fields])[] = [
  ['PATCH /user_groups/{id}', NO_GUESTS, () => ({ description: 'Another description' })],
  [
    'POST /user_groups/{id}/members',
    'Insufficient permission',
    (other) => ({ add_subgroups: `[${other}]` }),
  ],
  ['POST /user_groups/{id}/subgroups', NO_GUESTS, (other) => ({ add: `[${other}]` })],
  ['POST /user_groups/{id}/deactivate', NO_GUESTS, () => ({})],
];

const changes = ['deactivated', 'made a guest'] as const;

test.each(changes.flatMap((change) => requests.map((request) => [change, ...request] as const)))(
  'a manager of a group who is %s at the same time cannot %s',
  async (change, route, msg, fields) => {
    const { desdemona } = chat.people;
    const name = `manager${(managers += 1)}`;
    const manager = await chat.addPerson(name);
    const { id: user_id } = manager.user;
    const create = (title: string) =>
      desdemona.client.userGroups.create({
        name: title,
        description: '',
        members: [],
        can_manage_group: { direct_members: [user_id], direct_subgroups: [] },
      });
    const group = await create(name);
    const other = await create(`${name} and others`);
    const { deactivate, update } = desdemona.client.users;
    const responses: TestResponse[] = [];
    await commitTogether(chat, [
      () =>
        change === 'deactivated' ? deactivate({ user_id }) : update({ user_id, role: roles.guest }),
      async () => {
        const path = route.replace('{id}', String(group.group_id));
        responses.push(await chat.ask(manager, path, fields(other.group_id)));
      },
    ]);
    const refusal =
      change === 'deactivated' ? { code: 'USER_DEACTIVATED' } : { code: 'BAD_REQUEST', msg };
    expect(responses).toMatchObject([{ body: refusal }]);
  },
);
