import type {
  ChannelGroupSetting,
  ChannelId,
  SystemGroup,
  UserGroupId,
  UserId,
} from '@bellhop/protocol';

import * as subscriptionRows from '../../model/channels/subscribe/subscription-rows.ts';
import { insertAnonymous, systemGroupIds } from '../../model/user-groups/queries.ts';
import type { TestChat } from '../../test-chat.fixture.ts';

interface NewChannel extends Readonly<Partial<Record<ChannelGroupSetting, UserGroupId>>> {
  readonly name: string;
  readonly subscribers: readonly { readonly user: { readonly id: UserId } }[];
  readonly invite_only?: boolean;
  readonly history_public_to_subscribers?: boolean;
  readonly is_archived?: boolean;
  readonly is_web_public?: boolean;
  readonly topics_policy?: 'inherit' | 'disable_empty_topic' | 'empty_topic_only';
}

let numbered = 0;
/** Inserts a channel with a name that no other has. */
export async function addNumberedChannel(
  chat: TestChat,
  subscribers: NewChannel['subscribers'],
): Promise<{ readonly name: string; readonly id: ChannelId }> {
  const name = `place ${++numbered}`;
  return { name, id: await addChannel(chat, { name, subscribers }) };
}

/** Inserts a channel without its endpoint. Everyone may post; nobody has another permission. */
export async function addChannel(
  { server, realm }: TestChat,
  { subscribers, ...channel }: NewChannel,
): Promise<ChannelId> {
  const db = server.app.db.kysely;
  const { 'role:everyone': everyone, 'role:nobody': nobody } = await systemGroupIds(db, realm.id);
  const { id } = await db
    .insertInto('channel')
    .values({
      realm_id: realm.id,
      can_add_subscribers_group: nobody,
      can_administer_channel_group: nobody,
      can_delete_any_message_group: nobody,
      can_delete_own_message_group: nobody,
      can_move_messages_out_of_channel_group: nobody,
      can_move_messages_within_channel_group: nobody,
      can_remove_subscribers_group: nobody,
      can_resolve_topics_group: nobody,
      can_send_message_group: everyone,
      can_subscribe_group: nobody,
      ...channel,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('recipient').values({ realm_id: realm.id, channel_id: id }).execute();
  await subscribe({ server, realm }, id, ...subscribers.map(({ user }) => user.id));
  return id;
}

/** Subscribes users without the endpoint: no client is told. */
export async function subscribe(
  { server, realm }: Pick<TestChat, 'server' | 'realm'>,
  channel_id: ChannelId,
  ...users: readonly UserId[]
): Promise<void> {
  const wanted = users.map((user_id) => ({ channel_id, user_id, color: '#76ce90' }));
  await server.app.change(realm, (change) => subscriptionRows.subscribe(change, realm.id, wanted));
}

/** Unsubscribes users without the endpoint: no client is told. */
export async function unsubscribe(
  { server, realm }: Pick<TestChat, 'server' | 'realm'>,
  channel_id: ChannelId,
  ...users: readonly UserId[]
): Promise<void> {
  await server.app.change(realm, (change) =>
    subscriptionRows.unsubscribe(change, realm.id, { channels: [channel_id], users }),
  );
}

export async function firstMessageOf({ server }: TestChat, id: ChannelId) {
  const row = await server.app.db.kysely
    .selectFrom('channel')
    .select('first_message_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.first_message_id;
}

/** An anonymous group of these people: a value for a permission setting. */
export const groupOf = (
  { server, realm }: TestChat,
  ...people: readonly { readonly user: { readonly id: UserId } }[]
): Promise<UserGroupId> =>
  server.app.change(realm, ({ db }) =>
    insertAnonymous(db, realm.id, {
      direct_members: people.map(({ user }) => user.id),
      direct_subgroups: [],
    }),
  );

/** Values permission settings of a channel by system groups. */
export async function setChannel(
  { server, realm }: Pick<TestChat, 'server' | 'realm'>,
  name: string,
  settings: Partial<Record<ChannelGroupSetting, SystemGroup>>,
): Promise<void> {
  const db = server.app.db.kysely;
  const ids = await systemGroupIds(db, realm.id);
  const values = Object.entries(settings).map(([setting, group]) => [setting, ids[group]]);
  await db
    .updateTable('channel')
    .set(Object.fromEntries(values))
    .where('realm_id', '=', realm.id)
    .where('name', '=', name)
    .execute();
}
