import type { RealmGroupSetting, SystemGroup } from '@bellhop/protocol';

import type { TestChat } from '../../test-chat.fixture.ts';
import { systemGroupIds } from '../user-groups/queries.ts';

/** Changes settings of a test's realm, until they are changed again. */
export async function setRealm(
  { server, realm }: TestChat,
  settings: object,
  groups: Partial<Record<RealmGroupSetting, SystemGroup>> = {},
): Promise<void> {
  const db = server.app.db.kysely;
  const ids = await systemGroupIds(db, realm.id);
  const given = Object.entries(groups).map(([name, group]) => [name, ids[group]]);
  const values = { ...realm.group_settings, ...Object.fromEntries(given) };
  await db
    .updateTable('realm')
    .set({ settings: JSON.stringify(settings), group_settings: JSON.stringify(values) })
    .where('id', '=', realm.id)
    .execute();
  server.app.realms.forget();
}
