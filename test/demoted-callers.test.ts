import { api, type Endpoint, type Permission, roles, type UserGroupId } from '@bellhop/protocol';
import { commitTogether } from '@bellhop/server/commit-together';
import { permissionCases } from '@bellhop/server/contract-fixtures';
import { type Person, startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectError } from './support/expect-response.ts';
import { type SettingWriter, settingWriter } from './support/permission-setting.ts';
import { type RawResponse, requestOf, sendRequest } from './support/raw-request.ts';
import { flagOf, permissionSettings } from './support/required-permissions.ts';
import { sampleOf } from './support/sample-parameters.ts';

interface Right {
  readonly title: string;
  readonly endpoint: Endpoint;
  /** Undefined for a right of the role alone: the access of the endpoint. */
  readonly permission?: Permission;
}

const isHigh = (grant: string) => grant === 'admin' || grant === 'owner';
const isSetting = (grant: string) => /^(realm|channel|group)\./.test(grant);

/**
 * Everything that owners may change and members may not while all settings name the owners. Where the
 * contract says that it locks nothing, it may still use a right while somebody takes it away.
 */
const rights = Object.values(api)
  .flatMap((resource): Endpoint[] => Object.values(resource))
  .filter(
    ({ route, locks, locksFor }) =>
      !route.startsWith('GET ') && (locks === 'realm' || locksFor.length > 0),
  )
  .flatMap((endpoint): Right[] => {
    const { route, access } = endpoint;
    const permissions = endpoint.permissions.filter(({ grants }) =>
      grants.some((grant) => isHigh(grant) || isSetting(grant)),
    );
    return [
      ...(isHigh(access) ? [{ title: route, endpoint }] : []),
      ...permissions.map((permission) => ({
        title: `${route}: ${permission.to}`,
        endpoint,
        permission,
      })),
    ];
  });

let chat: TestChat;
let writer: SettingWriter;
let made: Awaited<ReturnType<typeof permissionCases>>;
let ownersGroup: UserGroupId;
let owners = 0;
beforeAll(async () => {
  chat = await startTestChat();
  made = await permissionCases();
  writer = await settingWriter(chat, await permissionSettings(chat));
  const { user_groups } = await chat.people.desdemona.client.userGroups.list({});
  const found = user_groups.find(({ name }) => name === 'role:owners');
  if (!found) throw new Error('The realm has no group of its owners');
  ownersGroup = found.id;
});
afterAll(() => chat[Symbol.asyncDispose]());

/** A request for which the right decides. All settings that would grant it too name nobody. */
async function requestFor({ title, endpoint, permission }: Right, caller: Person) {
  await writer.arrangeRealm({});
  const target = (await made[title]?.(chat, caller)) ?? {
    sample: await sampleOf(endpoint, chat, permission ? chat.people.cordelia : caller),
  };
  const values = Object.fromEntries(
    (permission?.grants ?? [])
      .filter(isSetting)
      .map((grant) => [grant, flagOf(grant) !== undefined || ownersGroup]),
  );
  await writer.set(target, values);
  await writer.arrangeRealm(values);
  return requestOf(endpoint, target.sample);
}

test.each(rights.map((right) => [right.title, right] as const))(
  '%s is refused to an owner who is demoted at the same time',
  async (_title, right) => {
    const owner = await chat.addPerson(`owner${(owners += 1)}`, roles.owner);
    const request = { ...(await requestFor(right, owner)), credentials: owner };
    const { update } = chat.people.desdemona.client.users;
    const user_id = owner.user.id;
    const responses: RawResponse[] = [];
    await commitTogether(chat, [
      () => update({ user_id, role: roles.member }),
      async () => responses.push(await sendRequest(chat.url, request)),
    ]);
    const { permission } = right;
    for (const response of responses)
      expectError(
        response,
        permission ? (permission.refusal ?? 'BAD_REQUEST') : 'UNAUTHORIZED_PRINCIPAL',
      );
    // Nothing but the role was missing.
    await update({ user_id, role: roles.owner });
    const { body } = await sendRequest(chat.url, request);
    expect(body, JSON.stringify(body)).toMatchObject({ result: 'success' });
  },
);
