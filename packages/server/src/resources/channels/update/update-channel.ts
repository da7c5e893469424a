import type { Handlers } from '../../../engine/resource.ts';
import * as channelRows from '../../../model/channels/channel-rows.ts';
import { requireAdministers } from '../../../model/channels/update/update-access.ts';
import * as userGroups from '../../../model/user-groups/queries.ts';
import { renameDefaultChannel } from '../../bots/rename-default-channel.ts';
import { emitOfferChange } from '../../default-channel-groups/offered-groups.ts';
import { archiveChannel, unarchiveChannel } from '../archive/archive-channel.ts';
import { emitDefaultChannels } from '../emit-default-channels.ts';
import { changedColumns, changedGroups } from './changed-columns.ts';
import { emitUpdates, recordWithViewers } from './emit-updates.ts';
import { sendUpdateNotices } from './update-notices.ts';

/** Changes a channel: everything that the request names, or nothing. */
export const updateChannel: Handlers<'channels'>['update'] = async (call) => {
  const { app, actor, params, db } = call;
  const { realm, now } = actor;
  const { stream_id: id } = params;
  const channel = await requireAdministers(db, actor, id);
  const before = channel.row;
  if (params.is_archived === false && before.is_archived)
    await unarchiveChannel(call, actor, before);
  const view = await recordWithViewers(call, { realm, now, id });
  const update = { actor, params, channel };
  const columns = await changedColumns(db, update);
  const groups = await changedGroups(db, update);
  if (!(await channelRows.update(db, before, { ...columns, ...groups })))
    return call.fail('CHANNEL_ALREADY_EXISTS', `Channel '${columns.name}' already exists`, {
      channel_name: columns.name,
    });
  const replaced = Object.keys(groups).map((name) => before[name as keyof typeof groups]);
  await userGroups.deleteAnonymous(db, realm.id, replaced);
  await emitUpdates(call, { realm, now, id }, view);
  const [after] = await channelRows.byIds(db, realm.id, [id]);
  if (after) await sendUpdateNotices(call, actor, { before, after });
  if (after && after.name !== before.name) await renameDefaultChannel(call, realm, after);
  if (after?.is_default !== before.is_default) await emitDefaultChannels(call, realm);
  if (after) await emitOfferChange(call, realm, { before, after });
  if (params.is_archived === true && !before.is_archived && after)
    await archiveChannel(app, call, actor, after);
  return {};
};
