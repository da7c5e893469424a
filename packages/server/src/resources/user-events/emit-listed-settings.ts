import { channelGroupSettings, realmGroupSettings, userGroupSettings } from '@bellhop/protocol';

import { EVERYBODY } from '../../engine/audience.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { filterFor } from '../../model/channels/archived-channels-filter.ts';
import * as channelRows from '../../model/channels/channel-rows.ts';
import * as realms from '../../model/realms/queries.ts';
import * as queries from '../../model/user-groups/queries.ts';
import { emitGroupEvents } from './emit-group-event.ts';

/** The events that carry the value of a permission setting. */
export type SettingEvent = 'realm' | 'stream' | 'user_group';
type SettingChange = Pick<Change<SettingEvent>, 'db' | 'emit'>;

/**
 * Emits the permission settings of channels, groups and the realm whose list of users names a user who
 * has just been deactivated or reactivated: the API shows the active ones only.
 */
export async function emitListedSettings(
  change: SettingChange,
  { realm, user }: { readonly realm: Realm; readonly user: User },
): Promise<void> {
  const { db, emit } = change;
  const lists = await queries.anonymousGroupsOf(db, user);
  if (lists.length === 0) return;
  const values = await queries.settingValues(db, realm.id, lists);
  /** The settings among these names whose value is one of the lists. */
  const listed = <Name extends string>(
    names: readonly Name[],
    row: { readonly [N in Name]: unknown },
  ) =>
    names.flatMap((name) => {
      const value = values.get(row[name] as (typeof lists)[number]);
      return value === undefined ? [] : [[name, value] as const];
    });
  const { group_settings } = await realms.byId(db, realm.id);
  const data = Object.fromEntries(listed(realmGroupSettings, group_settings));
  if (Object.keys(data).length > 0)
    emit({ type: 'realm', op: 'update_dict', property: 'default', data }, EVERYBODY);
  const groups = (await queries.named(db, realm.id)).flatMap((group) => {
    const changed = Object.fromEntries(listed(userGroupSettings, group));
    const event = { type: 'user_group', op: 'update', group_id: group.id, data: changed } as const;
    return Object.keys(changed).length > 0 ? [event] : [];
  });
  await emitGroupEvents(change, realm, groups);
  const channels = await channelRows.usingGroups(db, realm.id, lists);
  const ids = channels.map(({ id }) => id);
  const viewers = await channelRows.viewersOf(db, realm.id, ids);
  for (const channel of channels) {
    const { id: stream_id, name, is_archived } = channel;
    const filter = filterFor(is_archived);
    for (const [property, value] of listed(channelGroupSettings, channel))
      emit(
        { type: 'stream', op: 'update', stream_id, name, property, value, ...filter },
        viewers.get(stream_id) ?? [],
      );
  }
}
