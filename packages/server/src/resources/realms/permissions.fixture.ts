import { isOwnersSetting, realmGroupSettings, realmSettingNames } from '@bellhop/protocol';

import type { PermissionCase, PermissionCases } from '../../permission-case.fixture.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

type State = Readonly<Record<string, unknown>>;

const stateOf = ({ people }: TestChat): Promise<State> =>
  people.desdemona.client.queues.register({ fetch_event_types: ['realm'] });

/** A request that sets a setting to the value that it has. */
async function unchanged(chat: TestChat, name: string, isGroup: boolean): Promise<PermissionCase> {
  const value = (await stateOf(chat))[`realm_${name}`];
  const text = JSON.stringify(isGroup ? { new: value } : value);
  return { sample: { [name]: name === 'message_retention_days' ? 'unlimited' : text } };
}

const casesOf = (names: readonly string[], isGroup: boolean): PermissionCases =>
  Object.fromEntries(
    names.map((name) => [
      `PATCH /realm: change ${name}`,
      (chat: TestChat) => unchanged(chat, name, isGroup),
    ]),
  );

export const permissions: PermissionCases = {
  ...casesOf(realmSettingNames.filter(isOwnersSetting), false),
  ...casesOf(realmGroupSettings.filter(isOwnersSetting), true),
};
