import type { RealmGroupSetting, RealmId, SystemGroup } from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import { newSecret, type Secrets } from '../../engine/secrets.ts';
import { createSystemGroups } from '../user-groups/system-groups.ts';
import { createUser } from '../users/create-user.ts';
import * as queries from './queries.ts';

/** Whom each permission of a new realm goes to. */
const initialGroups: Record<RealmGroupSetting, SystemGroup> = {
  create_multiuse_invite_group: 'role:administrators',
  can_access_all_users_group: 'role:everyone',
  can_add_custom_emoji_group: 'role:members',
  can_add_subscribers_group: 'role:members',
  can_create_bots_group: 'role:members',
  can_create_groups: 'role:members',
  can_create_private_channel_group: 'role:members',
  can_create_public_channel_group: 'role:members',
  can_create_web_public_channel_group: 'role:owners',
  can_create_write_only_bots_group: 'role:members',
  can_delete_any_message_group: 'role:administrators',
  can_delete_own_message_group: 'role:everyone',
  can_invite_users_group: 'role:members',
  can_manage_all_groups: 'role:owners',
  can_manage_billing_group: 'role:administrators',
  can_mention_many_users_group: 'role:administrators',
  can_move_messages_between_channels_group: 'role:members',
  can_move_messages_between_topics_group: 'role:everyone',
  can_resolve_topics_group: 'role:everyone',
  can_set_delete_message_policy_group: 'role:moderators',
  can_set_topics_policy_group: 'role:members',
  can_summarize_topics_group: 'role:everyone',
  direct_message_initiator_group: 'role:everyone',
  direct_message_permission_group: 'role:everyone',
};

/** Bots that speak for the server itself. */
const systemBots = [
  { email: 'notification-bot', full_name: 'Notification Bot' },
  { email: 'welcome-bot', full_name: 'Welcome Bot' },
];

/** Makes a realm with its system groups and system bots. The subdomain '' is the default realm. */
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
  const settings = Object.entries(initialGroups).map(([name, group]) => [name, groups[group]]);
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
