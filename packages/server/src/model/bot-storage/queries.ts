import type { RealmId, UserId } from '@bellhop/protocol';
import { sql, type GeneratedAlways } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    bot_storage: {
      realm_id: RealmId;
      user_id: UserId;
      key: string;
      value: string;
      /** Characters. */
      size: GeneratedAlways<number>;
    };
  }
}

type Bot = Pick<User, 'id' | 'realm_id'>;

/** Stores values and returns the size of the bot's storage in characters. Calls of one bot run one by one. */
export async function put(
  tx: Tx,
  { id, realm_id }: Bot,
  storage: Readonly<Record<string, string>>,
): Promise<number> {
  await sql`select from realm_user where id = ${id} and realm_id = ${realm_id}
    for no key update`.execute(tx);
  await sql`insert into bot_storage (realm_id, user_id, key, value)
    select ${realm_id}, ${id}, key, value
    from unnest(${Object.keys(storage)}::text[], ${Object.values(storage)}::text[]) s (key, value)
    on conflict (realm_id, user_id, key) do update set value = excluded.value`.execute(tx);
  const { size } = await tx
    .selectFrom('bot_storage')
    .select(({ fn }) => fn.sum<number | null>('size').as('size'))
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(size ?? 0);
}

/** All values of a bot, or those of the given keys that exist. */
export const get = (db: Db, { id, realm_id }: Bot, keys: readonly string[] | undefined) => {
  const all = db
    .selectFrom('bot_storage')
    .select(['key', 'value'])
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id);
  return (keys ? all.where(sql<boolean>`key = any(${keys}::text[])`) : all)
    .orderBy('key')
    .execute();
};

/** Removes all values of a bot or those of the given keys; returns how many it removed. */
export async function remove(
  tx: Tx,
  { id, realm_id }: Bot,
  keys: readonly string[] | undefined,
): Promise<number> {
  const all = tx
    .deleteFrom('bot_storage')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id);
  const { numDeletedRows } = await (
    keys ? all.where(sql<boolean>`key = any(${keys}::text[])`) : all
  ).executeTakeFirst();
  return Number(numDeletedRows);
}
