import type { RealmGroupSetting, SystemGroup } from '@bellhop/protocol';

import type { TestChat } from '../../test-chat.fixture.ts';
import { systemGroupIds } from '../user-groups/queries.ts';

/** Replaces the settings of the realm, and the groups of the given permissions. */
export async function setRealmSettings(
  { server, realm }: TestChat,
  settings: object,
  groups: Partial<Record<RealmGroupSetting, SystemGroup>> = {},
): Promise<void> {
  const db = server.app.db.kysely;
  const ids = await systemGroupIds(db, realm.id);
  const changed = Object.entries(groups).map(([name, group]) => [name, ids[group]]);
  const values = { ...realm.group_settings, ...Object.fromEntries(changed) };
  await db
    .updateTable('realm')
    .set({ settings: JSON.stringify(settings), group_settings: JSON.stringify(values) })
    .where('id', '=', realm.id)
    .execute();
  server.app.realms.forget();
}
