import {
  type Api,
  badRequest,
  type ChannelGroupSetting,
  channelGroupSettings,
  type ParamsOf,
  roles,
  type UserGroupId,
} from '@bellhop/protocol';

import type { LockedTx, Tx } from '../../../engine/call.ts';
import type { Actor, Realm } from '../../../engine/caller.ts';
import { requireRole } from '../../../engine/require-role.ts';
import { renderMarkdown } from '../../../markdown/render-markdown.ts';
import { requireUsableFolder } from '../../../model/channel-folders/access.ts';
import { isPublic } from '../../../model/channels/access.ts';
import type { ChannelColumns } from '../../../model/channels/channel-rows.ts';
import type { ChannelWithAccess } from '../../../model/channels/channels-with-access.ts';
import { retentionDays } from '../../../model/channels/create/channel-creation.ts';
import {
  checkChannelDescription,
  checkChannelName,
} from '../../../model/channels/create/channel-name.ts';
import { requireInRealmGroup } from '../../../model/channels/create/create-access.ts';
import { changedPrivacy } from '../../../model/channels/update/privacy.ts';
import {
  requireCanChangePrivacy,
  requireCanSetDefault,
  requireCanSetGroups,
} from '../../../model/channels/update/update-access.ts';
import { hasNamedTopics } from '../../../model/messages/topics/topic-rows.ts';
import { supportedPermissionSettings } from '../../../model/realms/permission-settings.ts';
import {
  type ChangedSetting,
  changedSettingGroup,
} from '../../../model/user-groups/setting-value.ts';

export interface ChannelUpdate {
  readonly actor: Actor;
  readonly params: ParamsOf<Api['channels']['update']>;
  readonly channel: ChannelWithAccess;
}

/**
 * The columns that an update of a channel sets, those of permissions excepted. Throws BAD_REQUEST, or
 * UNAUTHORIZED_PRINCIPAL for a retention time, if the user may not set one of them.
 */
export async function changedColumns(tx: LockedTx, update: ChannelUpdate): Promise<ChannelColumns> {
  const { actor, params, channel } = update;
  const { realm, user } = actor;
  const { row } = channel;
  const columns: { -readonly [C in keyof ChannelColumns]: ChannelColumns[C] } = {};
  if (params.new_name !== undefined) {
    columns.name = checkChannelName(params.new_name);
    if (columns.name === row.name) throw badRequest('Channel already has that name.');
  }
  if (params.description !== undefined) {
    columns.description = checkChannelDescription(params.description);
    columns.rendered_description = rendered(realm, columns.description);
  }
  const privacy = changedPrivacy(row, params);
  await requireCanChangePrivacy(tx, actor, { channel, privacy });
  Object.assign(columns, privacy);
  const is_default = params.is_default_stream ?? row.is_default;
  if (is_default && !isPublic(privacy)) throw badRequest('A default channel cannot be private.');
  if (is_default !== row.is_default) {
    if (is_default && row.is_archived && params.is_archived !== false)
      throw badRequest(`Channel '${row.name}' is archived.`);
    requireCanSetDefault(user, { is_default, privacy });
    columns.is_default = is_default;
  }
  if (params.message_retention_days !== undefined) {
    requireRole(user, roles.owner);
    columns.message_retention_days = retentionDays(params.message_retention_days);
  }
  if (params.topics_policy !== undefined && params.topics_policy !== row.topics_policy) {
    await requireInRealmGroup(tx, actor, 'can_set_topics_policy_group');
    if (params.topics_policy === 'empty_topic_only' && (await hasNamedTopics(tx, row)))
      throw badRequest(
        'To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.',
      );
    columns.topics_policy = params.topics_policy;
  }
  if (params.folder_id !== undefined) {
    await requireUsableFolder(tx, realm.id, params.folder_id);
    columns.folder_id = params.folder_id;
  }
  return columns;
}

const rendered = ({ url, emoji: customEmoji }: Realm, description: string) =>
  description === ''
    ? ''
    : renderMarkdown(description, { realmHost: new URL(url).host, wildcards: [], customEmoji })
        .html;

/** The permissions that an update of a channel changes. Throws what `changedSettingGroup` throws. */
export async function changedGroups(
  tx: Tx,
  { actor, params, channel }: ChannelUpdate,
): Promise<Partial<Record<ChannelGroupSetting, UserGroupId>>> {
  const changed: Partial<Record<ChannelGroupSetting, ChangedSetting>> = {};
  for (const name of channelGroupSettings) {
    const update = params[name];
    const rule = supportedPermissionSettings.stream[name];
    if (update === undefined || !rule) continue;
    const value = await changedSettingGroup(
      tx,
      { realm: actor.realm, name, rule, update },
      channel.row[name],
    );
    if (value) changed[name] = value;
  }
  const entries = Object.entries(changed);
  const values = Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
  await requireCanSetGroups(tx, actor, { channel, groups: values });
  return Object.fromEntries(entries.map(([name, { id }]) => [name, id]));
}
