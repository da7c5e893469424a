import type { RealmId } from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import { newSecret, type Secrets } from '../../engine/secrets.ts';
import { initialRealmGroups } from '../../model/realms/permission-settings.ts';
import * as queries from '../../model/realms/queries.ts';
import { createSystemGroups } from '../../model/user-groups/system-groups.ts';
import { createUser } from '../../model/users/create-user.ts';

/** Bots in whose name the server sends messages. */
const systemBots = [
  { email: 'notification-bot', full_name: 'Notification Bot' },
  { email: 'welcome-bot', full_name: 'Welcome Bot' },
];

/** Creates a realm with its system groups and system bots. The subdomain of the default realm is ''. */
export async function createRealm(
  tx: Tx,
  { secrets, externalHost }: { secrets: Secrets; externalHost: string },
  realm: { subdomain: string; name: string; description?: string },
): Promise<RealmId> {
  const id = await queries.insert(tx, {
    subdomain: realm.subdomain,
    name: realm.name,
    description: realm.description ?? '',
    uuid_owner_secret: newSecret(64),
  });
  const groups = await createSystemGroups(tx, id);
  const settings = Object.entries(initialRealmGroups).map(([name, group]) => [name, groups[group]]);
  await queries.setGroupSettings(tx, id, Object.fromEntries(settings));
  for (const { email, full_name } of systemBots)
    await createUser(
      tx,
      { realm: { id }, secrets },
      {
        email: `${email}@${externalHost}`,
        full_name,
        bot: { type: 1, owner_id: null, system: true },
      },
    );
  return id;
}
