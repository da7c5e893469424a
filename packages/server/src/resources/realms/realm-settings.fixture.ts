import type { RealmGroupSetting, SystemGroup } from '@bellhop/protocol';

import { systemGroupIds } from '../../model/user-groups/queries.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

/** Resets all settings and permissions of the realm to their defaults, except the given ones. */
export async function resetRealmSettings(
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
