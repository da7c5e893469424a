import type { ChannelId } from '@bellhop/protocol';

import type { App } from '../../../engine/app.ts';
import { EVERYBODY } from '../../../engine/audience.ts';
import type { LockedChange } from '../../../engine/call.ts';
import type { Realm } from '../../../engine/caller.ts';
import { realmChannelSettings } from '../../../model/channels/realm-channels.ts';
import * as queries from '../../../model/realms/queries.ts';

/** Ends the messages of the realm to a channel, such as announcements, because it is archived. */
export async function unsetRealmChannel(
  app: App,
  { db, emit }: Pick<LockedChange<'realm'>, 'db' | 'emit'>,
  { realm, id }: { readonly realm: Pick<Realm, 'id'>; readonly id: ChannelId },
): Promise<void> {
  const current = await queries.byId(db, realm.id);
  const ended = realmChannelSettings.filter((name) => current.settings[name] === id);
  if (ended.length === 0) return;
  const changes = Object.fromEntries(ended.map((name) => [name, -1]));
  await queries.storeSettings(db, current, changes);
  for (const property of ended)
    emit({ type: 'realm', op: 'update', property, value: -1 }, EVERYBODY);
  app.realms.changed(db);
}
