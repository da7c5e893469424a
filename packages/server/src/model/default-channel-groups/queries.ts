import type {
  ChannelId,
  DefaultChannelGroup,
  DefaultChannelGroupId,
  RealmId,
} from '@bellhop/protocol';
import { sql, type Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    default_channel_group: {
      realm_id: RealmId;
      id: Generated<DefaultChannelGroupId>;
      name: string;
      description: string;
    };
    default_channel_group_channel: {
      realm_id: RealmId;
      group_id: DefaultChannelGroupId;
      channel_id: ChannelId;
    };
  }
}

/** All groups of a realm by name, with the channels that are private or archived too. */
export const ofRealm = (db: Db, realm_id: RealmId): Promise<DefaultChannelGroup[]> =>
  db
    .selectFrom('default_channel_group as g')
    .select([
      'g.id',
      'g.name',
      'g.description',
      sql<ChannelId[]>`array(select c.channel_id from default_channel_group_channel c
        where c.realm_id = ${realm_id} and c.group_id = g.id order by c.channel_id)`.as('streams'),
    ])
    .where('g.realm_id', '=', realm_id)
    .orderBy('g.name')
    .execute();

type GroupNames = Pick<DefaultChannelGroup, 'name' | 'description'>;

/** Undefined if the realm has a group with this name. */
export async function insert(
  tx: Tx,
  realm_id: RealmId,
  group: GroupNames,
): Promise<DefaultChannelGroupId | undefined> {
  const row = await tx
    .insertInto('default_channel_group')
    .values({ realm_id, ...group })
    .onConflict((same) => same.columns(['realm_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function update(
  tx: Tx,
  realm_id: RealmId,
  { id, name, description }: Omit<DefaultChannelGroup, 'streams'>,
): Promise<void> {
  await tx
    .updateTable('default_channel_group')
    .set({ name, description })
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .execute();
}

export async function remove(tx: Tx, realm_id: RealmId, id: DefaultChannelGroupId): Promise<void> {
  await tx
    .deleteFrom('default_channel_group')
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .execute();
}

interface GroupChannels {
  readonly group_id: DefaultChannelGroupId;
  readonly channels: readonly ChannelId[];
}

export async function addChannels(
  tx: Tx,
  realm_id: RealmId,
  { group_id, channels }: GroupChannels,
): Promise<void> {
  if (channels.length === 0) return;
  await tx
    .insertInto('default_channel_group_channel')
    .values(channels.map((channel_id) => ({ realm_id, group_id, channel_id })))
    .execute();
}

export async function removeChannels(
  tx: Tx,
  realm_id: RealmId,
  { group_id, channels }: GroupChannels,
): Promise<void> {
  await tx
    .deleteFrom('default_channel_group_channel')
    .where('realm_id', '=', realm_id)
    .where('group_id', '=', group_id)
    .where(sql<boolean>`channel_id = any(${channels}::bigint[])`)
    .execute();
}
