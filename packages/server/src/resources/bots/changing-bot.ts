import type { Bot, UserId } from '@bellhop/protocol';

import type { Change, Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Secrets } from '../../engine/secrets.ts';
import { directGroups } from '../user-groups/queries.ts';
import * as users from '../users/queries.ts';
import { botRecords } from './bot-record.ts';
import { sealBot } from './present-bot.ts';
import * as queries from './queries.ts';

type BotChange = Pick<Change<'realm_bot' | 'realm_user' | 'user_group'>, 'db' | 'emit'>;
interface BotInRealm {
  readonly realm: Realm;
  readonly secrets: Secrets;
  readonly bot: User;
}

/**
 * Runs a change of a bot and emits its events by comparing the bot before and after: all changes to
 * its managers, and the public ones to every user.
 */
export async function changingBot<T>(
  { db, emit }: BotChange,
  { realm, secrets, bot }: BotInRealm,
  work: () => Promise<T>,
): Promise<T> {
  const snapshotOf = async (user: User) => ({
    user,
    record: await recordOf(db, { realm, secrets }, user.id),
    managers: await managersOf(db, user),
    groups: user.is_active ? await directGroups(db, user) : [],
  });
  const before = await snapshotOf(bot);
  const result = await work();
  const changed = await users.byId(db, realm.id, bot.id);
  if (!changed) throw new Error(`The bot ${bot.id} vanished`);
  const after = await snapshotOf(changed);
  const allUsers = await users.activeIds(db, realm.id);
  for (const change of changesOf(bot, changed))
    emit({ type: 'realm_user', op: 'update', person: { user_id: bot.id, ...change } }, allUsers);
  const emitMembership = (op: 'add_members' | 'remove_members', ids: typeof before.groups) => {
    for (const group_id of ids)
      emit({ type: 'user_group', op, group_id, user_ids: [bot.id] }, allUsers);
  };
  emitMembership('remove_members', without(before.groups, after.groups));
  emitMembership('add_members', without(after.groups, before.groups));
  const formerManagers = without(before.managers, after.managers);
  emit({ type: 'realm_bot', op: 'delete', bot: { user_id: bot.id } }, formerManagers);
  const difference = differenceOf(before.record, after.record);
  if (Object.keys(difference).length > 0) {
    const update = sealBot({ user_id: bot.id, ...difference }, secrets);
    const keptManagers = without(before.managers, formerManagers);
    emit({ type: 'realm_bot', op: 'update', bot: update }, keptManagers);
  }
  const newManagers = without(after.managers, before.managers);
  emit({ type: 'realm_bot', op: 'add', bot: sealBot(after.record, secrets) }, newManagers);
  return result;
}

/** The record of a bot for its managers. */
export async function recordOf(db: Db, context: Omit<BotInRealm, 'bot'>, id: UserId): Promise<Bot> {
  const [record] = await botRecords(db, context, { id });
  if (!record) throw new Error(`The bot ${id} vanished`);
  return record;
}

/** The managers of a bot: its owner, and administrators unless it has a private default channel. */
export async function managersOf(
  db: Db,
  { id, realm_id, bot_owner_id }: Pick<User, 'id' | 'realm_id' | 'bot_owner_id'>,
): Promise<UserId[]> {
  const owners = bot_owner_id === null ? [] : [bot_owner_id];
  if (await queries.isTiedToPrivate(db, realm_id, id)) return owners;
  return [...new Set([...owners, ...(await users.administratorIds(db, realm_id))])];
}

const without = <T>(list: readonly T[], excluded: readonly T[]) =>
  list.filter((item) => !excluded.includes(item));

/** The public changes of a bot, one by one: clients expect one property per event. */
const changesOf = (before: User, after: User) => [
  ...(after.full_name === before.full_name ? [] : [{ full_name: after.full_name }]),
  ...(after.role === before.role ? [] : [{ role: after.role }]),
  ...(after.bot_owner_id === before.bot_owner_id ? [] : [{ bot_owner_id: after.bot_owner_id }]),
  ...(after.is_active === before.is_active ? [] : [{ is_active: after.is_active }]),
];

const differenceOf = (before: Bot, after: Bot): Partial<Bot> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Bot]),
    ),
  );
