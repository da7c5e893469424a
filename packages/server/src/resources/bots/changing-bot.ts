import { type Bot, roles, type UserId } from '@bellhop/protocol';

import type { Change, Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Secrets } from '../../engine/secrets.ts';
import { readsSecrets } from '../../model/bots/access.ts';
import { botRecords, withoutSecrets } from '../../model/bots/bot-record.ts';
import * as users from '../../model/users/queries.ts';
import { sealBot } from './present-bot.ts';

type BotChange = Pick<Change<'realm_bot'>, 'db' | 'emit'>;
interface BotInRealm {
  readonly realm: Realm;
  readonly secrets: Secrets;
  readonly bot: User;
}
interface BotSnapshot {
  readonly record: Bot;
  /** The users who manage the bot and read its API key and tokens. */
  readonly readers: readonly UserId[];
  /** The users who manage the bot and do not read its secrets. */
  readonly others: readonly UserId[];
}

/**
 * Runs a change of a bot and emits its events to its managers by comparing the bot before and after.
 * What every user sees of a bot changes within `changingUser` or `changingProfile`.
 */
export async function changingBot<T>(
  { db, emit }: BotChange,
  { realm, secrets, bot }: BotInRealm,
  work: () => Promise<T>,
): Promise<T> {
  const before = await snapshotOf(db, { realm, secrets, bot });
  const result = await work();
  const changed = await users.byId(db, realm.id, bot.id);
  if (!changed) throw new Error(`The bot ${bot.id} vanished`);
  const after = await snapshotOf(db, { realm, secrets, bot: changed });
  emitToManagers(emit, secrets, { before, after });
  return result;
}

async function snapshotOf(db: Db, { realm, secrets, bot }: BotInRealm): Promise<BotSnapshot> {
  const viewer = { role: roles.owner };
  const [record] = await botRecords(db, { realm, secrets, viewer }, { id: bot.id });
  if (!record) throw new Error(`The bot ${bot.id} vanished`);
  const managers = await managersOf(db, bot);
  return { record, ...managers };
}

/**
 * Emits a change of a bot to its managers: `delete` to former ones, the whole bot to new ones and
 * to those who gain or lose its secrets, the changed fields to the others.
 */
function emitToManagers(
  emit: BotChange['emit'],
  secrets: Secrets,
  { before, after }: { before: BotSnapshot; after: BotSnapshot },
): void {
  const { user_id } = after.record;
  const former = without(
    [...before.readers, ...before.others],
    [...after.readers, ...after.others],
  );
  emit({ type: 'realm_bot', op: 'delete', bot: { user_id } }, former);
  for (const [kind, shown] of [
    ['readers', (bot: Partial<Bot>) => bot],
    ['others', withoutSecrets],
  ] as const) {
    const old = shown(before.record);
    const record = shown(after.record);
    const difference = differenceOf(old, record);
    const known = after[kind].filter((id) => before[kind].includes(id));
    if (Object.keys(difference).length > 0)
      emit(
        { type: 'realm_bot', op: 'update', bot: sealBot({ user_id, ...difference }, secrets) },
        known,
      );
    emitAdded(emit, secrets, record as Bot, without(after[kind], known));
  }
}

function emitAdded(
  emit: BotChange['emit'],
  secrets: Secrets,
  bot: Bot,
  audience: readonly UserId[],
): void {
  emit({ type: 'realm_bot', op: 'add', bot: sealBot(bot, secrets) }, audience);
}

/** Emits a new bot to its managers, with its secrets to those who may read them. */
export async function emitNewBot(
  { db, emit }: BotChange,
  { realm, secrets, bot }: BotInRealm,
): Promise<void> {
  const { record, readers, others } = await snapshotOf(db, { realm, secrets, bot });
  emitAdded(emit, secrets, record, readers);
  emitAdded(emit, secrets, withoutSecrets(record), others);
}

/** The managers of a bot, as in `realm_bots`: its owner and the administrators. */
export async function managersOf(
  db: Db,
  bot: Pick<User, 'realm_id' | 'bot_owner_id' | 'role'>,
): Promise<Pick<BotSnapshot, 'readers' | 'others'>> {
  const { realm_id, bot_owner_id } = bot;
  const owner = bot_owner_id === null ? undefined : await users.byId(db, realm_id, bot_owner_id);
  const administrators = await users.administrators(db, realm_id);
  const managers = [
    ...(owner ? [owner] : []),
    ...administrators.filter((one) => one.id !== owner?.id),
  ];
  const idsWhere = (reads: boolean) =>
    managers.filter((one) => readsSecrets(one, bot) === reads).map((one) => one.id);
  return { readers: idsWhere(true), others: idsWhere(false) };
}

const without = <T>(list: readonly T[], excluded: readonly T[]) =>
  list.filter((item) => !excluded.includes(item));

const differenceOf = (before: Partial<Bot>, after: Partial<Bot>): Partial<Bot> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Bot]),
    ),
  );
