import { MEMBERS } from '../../engine/audience.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { defaultIds } from '../../model/channels/channel-rows.ts';
import { requireRoom } from '../../model/require-room.ts';

/** Emits the channels of new users to everybody but guests. Throws BAD_REQUEST if there are too many. */
export async function emitDefaultChannels(
  { db, emit }: Pick<Change<'default_streams'>, 'db' | 'emit'>,
  realm: Realm,
): Promise<void> {
  await requireRoom(db, 'channel', { realm_id: realm.id });
  const default_streams = await defaultIds(db, realm.id);
  emit({ type: 'default_streams', default_streams }, MEMBERS);
}
