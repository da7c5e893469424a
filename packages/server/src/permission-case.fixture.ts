import type { ChannelGroupSetting, ChannelId, UserGroupId } from '@bellhop/protocol';

import type { Sample } from './sample.fixture.ts';
import type { Person, TestChat } from './test-chat.fixture.ts';

/** A request for which one permission of its endpoint decides: the caller has the others. */
export interface PermissionCase {
  readonly sample: Sample;
  /** The channel or user group whose settings grant the permission. */
  readonly channel_id?: ChannelId;
  readonly group_id?: UserGroupId;
}
/**
 * Cases by `POST /path: permitted action`. Undefined if this caller has no request that requires
 * the permission.
 */
export type PermissionCases = Readonly<
  Record<string, (chat: TestChat, caller: Person) => Promise<PermissionCase | undefined>>
>;

let channels = 0;
let groups = 0;
export const newChannelName = (): string => `case ${++channels}`;

interface ChannelOptions {
  readonly invite_only?: boolean;
  /** Subscribers beside Desdemona, who creates the channel. */
  readonly subscribers?: readonly Person[];
  /** The settings that name only the caller. */
  readonly grants?: readonly ChannelGroupSetting[];
}

/** A channel of Desdemona. */
export async function newChannel(
  { people: { desdemona } }: TestChat,
  caller: Person,
  { invite_only = false, subscribers = [caller], grants = [] }: ChannelOptions = {},
): Promise<{ id: ChannelId; name: string }> {
  const name = newChannelName();
  const onlyCaller = { direct_members: [caller.user.id], direct_subgroups: [] };
  const { id } = await desdemona.client.channels.create({
    name,
    invite_only,
    subscribers: [...new Set([desdemona, ...subscribers].map(({ user }) => user.id))],
    ...Object.fromEntries(grants.map((setting) => [setting, onlyCaller])),
  });
  return { id, name };
}

/** A user group of Desdemona with these members. */
export async function newGroup(
  { people: { desdemona } }: TestChat,
  members: readonly Person[] = [],
): Promise<UserGroupId> {
  const { group_id } = await desdemona.client.userGroups.create({
    name: `Case ${++groups}`,
    description: '',
    members: members.map(({ user }) => user.id),
  });
  return group_id;
}
