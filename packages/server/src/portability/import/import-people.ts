import {
  BotType,
  MAX_EMAIL_LENGTH,
  Role,
  roles,
  type SystemGroup,
  userGroupSettings,
  type UserGroupSetting,
  userSettings,
  type UserSettingName,
} from '@bellhop/protocol';
import { sql } from 'kysely';

import { newSecret } from '../../engine/secrets.ts';
import { isMailAddress } from '../../mail/mail-address.ts';
import { supportedPermissionSettings } from '../../model/realms/permission-settings.ts';
import { systemGroupIds } from '../../model/user-groups/queries.ts';
import { checkFullName } from '../../model/users/create-user.ts';
import { faulty, flagOf, idOf, requiredId, textOf, timeOf } from '../form-fields.ts';
import { settingValue } from '../form-values.ts';
import type { FormRecord } from '../form.ts';
import type { Importing, Piece } from './importing.ts';
import {
  anyRef,
  bytes,
  flag,
  type NewRow,
  noteIds,
  ref,
  small,
  text,
  time,
} from './insert-rows.ts';

const users = {
  table: 'realm_user',
  kind: 'user',
  columns: {
    delivery_email: text,
    full_name: text,
    role: small,
    is_active: flag,
    is_bot: flag,
    bot_type: small,
    acts_for_owner: flag,
    can_create_users: flag,
    can_change_user_emails: flag,
    api_key_mac: bytes,
    api_key_sealed: bytes,
    timezone: text,
    settings: { type: 'jsonb' },
    date_joined: time,
  },
} as const;

const MAX_TIMEZONE_LENGTH = 100;
const hex = (value: Buffer) => `\\x${value.toString('hex')}`;

/** People and bots, each with a new API key and nobody with a password. */
export async function importPeople(importing: Importing, piece: Piece): Promise<void> {
  const tables = ['zerver_userprofile', 'zerver_userprofile_mirrordummy'];
  for await (const batch of importing.tables([...tables, 'zerver_userprofile_crossrealm'])) {
    const people = batch.filter(({ table }) => tables.includes(table));
    const rows = people.map(({ table, record }) => userRow(importing, table, record));
    await piece.insert('people and bots', users, rows);
    const shared = batch.filter(({ table }) => !tables.includes(table));
    await noteSystemBots(
      importing,
      piece,
      shared.map(({ record }) => record),
    );
  }
}

function userRow({ secrets, realm, now }: Importing, table: string, record: FormRecord): NewRow {
  const id = requiredId(table, record, 'id');
  const is_bot = flagOf(record, 'is_bot', false);
  const delivery_email = emailOf(table, record, is_bot);
  const key = newSecret();
  const isDummy = flagOf(record, 'is_mirror_dummy', table.endsWith('mirrordummy'));
  const role = Role.safeParse(record['role']).data ?? roles.member;
  const bot_type = BotType.safeParse(record['bot_type']).data ?? 1;
  return {
    former_id: id,
    delivery_email,
    full_name: nameOf(table, record),
    role,
    is_active: flagOf(record, 'is_active', true) && !isDummy,
    is_bot,
    bot_type: is_bot ? bot_type : null,
    acts_for_owner: flagOf(record, 'acts_for_owner', true),
    // Only the operator of a server gives these, by `bellhop realm grant`.
    can_create_users: false,
    can_change_user_emails: false,
    api_key_mac: hex(secrets.mac(key)),
    api_key_sealed: hex(secrets.seal(key)),
    timezone: textOf(table, record, 'timezone', MAX_TIMEZONE_LENGTH),
    settings: is_bot ? {} : settingsOf(record),
    date_joined: timeOf(record, 'date_joined') ?? new Date(now * 1000).toISOString(),
    realm,
  };
}

function emailOf(table: string, record: FormRecord, isBot: boolean): string {
  const given = textOf(table, record, 'delivery_email', MAX_EMAIL_LENGTH).trim();
  const email = given === '' ? textOf(table, record, 'email', MAX_EMAIL_LENGTH).trim() : given;
  if (isBot ? !/^\S+@\S+$/.test(email) : !isMailAddress(email))
    throw faulty(table, record, `"${email}" is no e-mail address`);
  return email;
}

/** The name; without what a mention cannot have, which other servers allowed once. */
function nameOf(table: string, record: FormRecord): string {
  const name = textOf(table, record, 'full_name', 100);
  try {
    return checkFullName(name);
  } catch {
    return name.replace(/[*`\\>"@]|\p{C}|\|\d+$/gu, ' ').trim() || `User ${idOf(record, 'id')}`;
  }
}

const isSetting = (name: string): name is UserSettingName => Object.hasOwn(userSettings, name);

/** The settings in a record that this server has. */
export function settingsOf(record: FormRecord): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (!isSetting(name) || name === 'timezone') continue;
    const parsed = userSettings[name].schema.safeParse(settingValue(name, value));
    if (parsed.success) settings[name] = parsed.data;
  }
  return settings;
}

/** The server's own bots, in whose name it wrote messages. Each server has some that others have not. */
async function noteSystemBots(
  { realm }: Importing,
  { tx }: Piece,
  records: readonly FormRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const bots = await tx
    .selectFrom('realm_user')
    .select(['id', 'delivery_email'])
    .where('realm_id', '=', realm)
    .where('is_system_bot', '=', true)
    .orderBy('id')
    .execute();
  const called = (email: string) => email.replace(/@.*/s, '');
  const [any] = bots;
  if (!any) throw new Error('The realm has no system bots');
  const pairs = records.map((record) => {
    const name = called(textOf('zerver_userprofile_crossrealm', record, 'email', MAX_EMAIL_LENGTH));
    const bot = bots.find(({ delivery_email }) => called(delivery_email) === name) ?? any;
    return [requiredId('zerver_userprofile_crossrealm', record, 'id'), bot.id] as const;
  });
  await noteIds(tx, realm, 'user', pairs);
}

const groups = {
  table: 'user_group',
  kind: 'group',
  columns: {
    name: text,
    description: text,
    deactivated: flag,
    creator_id: anyRef('user'),
    date_created: time,
  },
} as const;

/** User groups, those without a name included: they are the values of permissions. */
export async function importGroups(importing: Importing, piece: Piece): Promise<void> {
  const { realm } = importing;
  const system = await systemGroupIds(piece.tx, realm);
  const ids = new Set<number>();
  const named = new Map<number, FormRecord>();
  for await (const batch of importing.tables(['zerver_usergroup', 'zerver_namedusergroup']))
    for (const { table, record } of batch) {
      // Its own ID is that of the group since groups without a name are in a table of their own.
      const id = idOf(record, 'usergroup_ptr') ?? requiredId(table, record, 'id');
      ids.add(id);
      if (typeof record['name'] === 'string') named.set(id, record);
    }
  const rows: NewRow[] = [];
  const own: [number, number][] = [];
  for (const id of ids) {
    const record = named.get(id);
    if (record && flagOf(record, 'is_system_group', false)) {
      const known = system[String(record['name']).replace(/^@/, '') as SystemGroup];
      own.push([id, known ?? system['role:nobody']]);
    } else rows.push({ former_id: id, ...(record ? groupRow(record) : unnamedGroup) });
  }
  await noteIds(piece.tx, realm, 'group', own);
  await piece.insert('groups', groups, rows);
  for (const record of named.values())
    if (!flagOf(record, 'is_system_group', false)) await setPermissions(importing, piece, record);
}

/** The value of one permission. */
const unnamedGroup = { name: null, description: '', deactivated: false };

function groupRow(record: FormRecord) {
  const table = 'zerver_namedusergroup';
  return {
    name: textOf(table, record, 'name', 100).trim(),
    description: textOf(table, record, 'description', 1024),
    deactivated: flagOf(record, 'deactivated', false),
    creator_id: idOf(record, 'creator') ?? null,
    date_created: timeOf(record, 'date_created'),
  };
}

/** The permissions of a group, whose values are groups. */
async function setPermissions(
  importing: Importing,
  { tx }: Piece,
  record: FormRecord,
): Promise<void> {
  const { realm } = importing;
  const system = await systemGroupIds(tx, realm);
  const ids = await importing.newIds(
    tx,
    'group',
    userGroupSettings.flatMap((name) => idOf(record, name) ?? []),
  );
  const own = idOf(record, 'usergroup_ptr') ?? requiredId('zerver_namedusergroup', record, 'id');
  const value = (name: UserGroupSetting) => {
    const initial = supportedPermissionSettings.group[name]?.default_group_name;
    const known = initial === 'group_creator' ? 'role:administrators' : initial;
    return ids.get(idOf(record, name) ?? -1) ?? system[(known ?? 'role:nobody') as SystemGroup];
  };
  await tx
    .updateTable('user_group')
    .set(Object.fromEntries(userGroupSettings.map((name) => [name, value(name)])))
    .where('realm_id', '=', realm)
    .where(
      sql<boolean>`id = (select i.id from imported_id i where i.realm_id = ${realm}
        and i.kind = 'group' and i.former_id = ${own})`,
    )
    .execute();
}

const members = {
  table: 'user_group_member',
  columns: { group_id: ref('group'), user_id: ref('user') },
} as const;
const subgroups = {
  table: 'user_group_subgroup',
  columns: { group_id: ref('group'), subgroup_id: ref('group') },
} as const;

/** Who is in which group. The groups of roles have their members by role. */
export async function importMembers(importing: Importing, piece: Piece): Promise<void> {
  const { realm } = importing;
  const { tx } = piece;
  const byRole = await formerSystemGroups(importing, piece);
  for await (const batch of importing.tables([
    'zerver_usergroupmembership',
    'zerver_groupgroupmembership',
  ])) {
    const people: NewRow[] = [];
    const nested: NewRow[] = [];
    for (const { table, record } of batch) {
      const isNested = table === 'zerver_groupgroupmembership';
      const group_id = idOf(record, isNested ? 'supergroup' : 'user_group');
      if (group_id === undefined || byRole.has(group_id)) continue;
      if (isNested) nested.push({ group_id, subgroup_id: idOf(record, 'subgroup') });
      else people.push({ group_id, user_id: idOf(record, 'user_profile') });
    }
    await piece.insert('members of groups', members, people);
    await piece.insert('groups within groups', subgroups, nested);
  }
  // A group that contains itself, through others or not, has no meaning; servers forbid it.
  const { rows } = await sql`with recursive nested (top, id) as (
      select group_id, subgroup_id from user_group_subgroup where realm_id = ${realm}
      union
      select n.top, s.subgroup_id from nested n
      join user_group_subgroup s on s.realm_id = ${realm} and s.group_id = n.id
    ) select from nested where top = id limit 1`.execute(tx);
  if (rows.length > 0) throw faulty('zerver_groupgroupmembership', {}, 'a group contains itself');
}

async function formerSystemGroups({ realm }: Importing, { tx }: Piece): Promise<Set<number>> {
  const { rows } = await sql<{ former_id: number }>`select i.former_id from imported_id i
    join user_group g on g.realm_id = i.realm_id and g.id = i.id
    where i.realm_id = ${realm} and i.kind = 'group' and g.is_system_group`.execute(tx);
  return new Set(rows.map(({ former_id }) => former_id));
}
