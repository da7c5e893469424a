import type { RealmId, UserSettings } from '@bellhop/protocol';

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

export interface NewRealm {
  /** '' for the default realm. */
  readonly subdomain: string;
  readonly name: string;
  readonly description?: string;
  /** Settings that new users start with, where they differ from those of the specification. */
  readonly user_defaults?: Partial<UserSettings>;
}

/** Creates a realm with its system groups and system bots. */
export async function createRealm(
  tx: Tx,
  { secrets, externalHost }: { secrets: Secrets; externalHost: string },
  realm: NewRealm,
): Promise<RealmId> {
  const id = await queries.insert(tx, {
    subdomain: realm.subdomain,
    name: realm.name,
    description: realm.description ?? '',
    uuid_owner_secret: newSecret(64),
  });
  if (realm.user_defaults) await queries.setUserDefaults(tx, id, realm.user_defaults);
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
