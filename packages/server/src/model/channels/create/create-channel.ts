import {
  type ChannelFolderId,
  type ChannelGroupSetting,
  channelGroupSettings,
  type ChannelId,
  type GroupSetting,
  type SystemGroup,
  type TopicsPolicy,
  type UserGroupId,
  type UserId,
} from '@bellhop/protocol';

import type { Tx } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { renderMarkdown } from '../../../markdown/render-markdown.ts';
import { supportedPermissionSettings } from '../../realms/permission-settings.ts';
import { requireRoom } from '../../require-room.ts';
import * as userGroups from '../../user-groups/queries.ts';
import { settingGroup } from '../../user-groups/setting-value.ts';
import * as channelRows from '../channel-rows.ts';
import { checkChannelDescription, checkChannelName } from './channel-name.ts';

export interface NewChannel {
  readonly name: string;
  readonly description?: string | undefined;
  readonly invite_only?: boolean;
  readonly is_web_public?: boolean;
  readonly is_default?: boolean;
  /** Only for private channels, default false; every other channel shares its history. */
  readonly history_public_to_subscribers?: boolean | undefined;
  /** Null: the realm's setting. -1: unlimited. */
  readonly message_retention_days?: number | null;
  readonly topics_policy?: TopicsPolicy;
  readonly folder_id?: ChannelFolderId | null;
  readonly groups?: Readonly<Partial<Record<ChannelGroupSetting, GroupSetting | undefined>>>;
}
export interface CreationContext {
  readonly realm: Pick<Realm, 'id' | 'url'> & Partial<Pick<Realm, 'emoji'>>;
  /** The only member of `can_administer_channel_group`, unless that setting has a value. */
  readonly creator_id: UserId | null;
  /** UNIX time in seconds. */
  readonly now: number;
}

/**
 * Creates a channel without subscribers; undefined if its name is taken. Emits no event: call
 * `subscribeUsers` afterwards. Throws BAD_REQUEST for a bad name, description or group setting, and for
 * one channel too many.
 */
export async function createChannel(
  tx: Tx,
  context: CreationContext,
  channel: NewChannel,
): Promise<ChannelId | undefined> {
  const { realm, creator_id, now } = context;
  const { invite_only = false, is_web_public = false } = channel;
  const description = checkChannelDescription(channel.description ?? '');
  const rendering = {
    realmHost: new URL(realm.url).host,
    wildcards: [],
    customEmoji: realm.emoji ?? new Map(),
  };
  const id = await channelRows.insert(tx, {
    realm_id: realm.id,
    name: checkChannelName(channel.name),
    description,
    rendered_description: description === '' ? '' : renderMarkdown(description, rendering).html,
    creator_id,
    invite_only,
    is_web_public,
    is_default: channel.is_default ?? false,
    history_public_to_subscribers: !invite_only || (channel.history_public_to_subscribers ?? false),
    message_retention_days: channel.message_retention_days ?? null,
    topics_policy: channel.topics_policy ?? 'inherit',
    folder_id: channel.folder_id ?? null,
    date_created: new Date(now * 1000),
    ...(await groupsFor(tx, context, channel)),
  });
  if (id !== undefined) await requireRoom(tx, 'channel', { realm_id: realm.id, creator_id });
  return id;
}

async function groupsFor(
  tx: Tx,
  { realm, creator_id }: CreationContext,
  { groups = {} }: NewChannel,
): Promise<Record<ChannelGroupSetting, UserGroupId>> {
  const system = await userGroups.systemGroupIds(tx, realm.id);
  const resolved: Partial<Record<ChannelGroupSetting, UserGroupId>> = {};
  for (const name of channelGroupSettings) {
    const rule = supportedPermissionSettings.stream[name];
    if (!rule) throw new Error(`No rule for ${name}`);
    const value = groups[name];
    if (value !== undefined) resolved[name] = await settingGroup(tx, { realm, name, value, rule });
    else if (rule.default_group_name !== 'stream_creator_or_nobody')
      resolved[name] = system[rule.default_group_name as SystemGroup];
    else if (creator_id === null) resolved[name] = system['role:nobody'];
    else {
      const creator = { direct_members: [creator_id], direct_subgroups: [] };
      resolved[name] = await userGroups.insertAnonymous(tx, realm.id, creator);
    }
  }
  return resolved as Record<ChannelGroupSetting, UserGroupId>;
}
