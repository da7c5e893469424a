import {
  type ChannelGroupSetting,
  channelGroupSettings,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
  realmGroupSettings,
  type RealmSettingName,
  realmSettings,
  type SystemGroup,
  TopicsPolicy,
  type UserGroupId,
} from '@bellhop/protocol';
import { sql } from 'kysely';

import { renderMarkdown } from '../../markdown/render-markdown.ts';
import { checkChannelDescription } from '../../model/channels/create/channel-name.ts';
import { supportedPermissionSettings } from '../../model/realms/permission-settings.ts';
import * as realms from '../../model/realms/queries.ts';
import { systemGroupIds } from '../../model/user-groups/queries.ts';
import {
  cutOf,
  flagOf,
  idOf,
  numberOf,
  requiredId,
  secondsOf,
  textOf,
  timeOf,
} from '../form-fields.ts';
import { settingValue } from '../form-values.ts';
import type { FormRecord } from '../form.ts';
import { settingsOf } from './import-people.ts';
import type { Importing, Piece } from './importing.ts';
import { anyRef, flag, type NewRow, small, text, time } from './insert-rows.ts';

const folders = {
  table: 'channel_folder',
  kind: 'folder',
  columns: {
    name: text,
    description: text,
    rendered_description: text,
    creator_id: anyRef('user'),
    date_created: time,
    is_archived: flag,
    position: small,
  },
} as const;

const groupColumns = Object.fromEntries(
  channelGroupSettings.map((name) => [name, { type: 'bigint' }]),
);
const channels = {
  table: 'channel',
  kind: 'channel',
  columns: {
    name: text,
    description: text,
    rendered_description: text,
    creator_id: anyRef('user'),
    invite_only: flag,
    is_web_public: flag,
    is_archived: flag,
    is_default: flag,
    history_public_to_subscribers: flag,
    message_retention_days: small,
    folder_id: anyRef('folder'),
    topics_policy: text,
    date_created: time,
    ...groupColumns,
  },
} as const;

/** Folders, channels, and the settings of the organization, which name groups and channels. */
export async function importChannels(importing: Importing, piece: Piece): Promise<void> {
  const found = new Map<string, FormRecord[]>();
  const names = [
    'zerver_realm',
    'zerver_realmuserdefault',
    'zerver_channelfolder',
    'zerver_stream',
    'zerver_defaultstream',
    'zerver_defaultstreamgroup',
  ];
  for await (const batch of importing.tables(names))
    for (const { table, record } of batch) found.set(table, [...(found.get(table) ?? []), record]);
  const of = (name: string) => found.get(name) ?? [];
  await piece.insert(
    'channel folders',
    folders,
    of('zerver_channelfolder').map((record) => folderRow(importing, record)),
  );
  const defaults = new Set(of('zerver_defaultstream').map((record) => idOf(record, 'stream')));
  const rows: NewRow[] = [];
  for (const record of of('zerver_stream'))
    rows.push(await channelRow(importing, piece, record, defaults));
  await piece.insert('channels', channels, rows);
  await sql`insert into recipient (realm_id, channel_id) select realm_id, id from channel
    where realm_id = ${importing.realm}`.execute(piece.tx);
  for (const record of of('zerver_defaultstreamgroup'))
    await addDefaultGroup(importing, piece, record);
  await setRealm(importing, piece, of('zerver_realm')[0] ?? {}, of('zerver_realmuserdefault')[0]);
}

function describe(record: FormRecord, table: string) {
  const description = checkChannelDescription(
    textOf(table, record, 'description', MAX_CHANNEL_DESCRIPTION_LENGTH),
  );
  const rendered = description === '' ? '' : renderMarkdown(description, { wildcards: [] }).html;
  return { description, rendered_description: rendered };
}

function folderRow({ now }: Importing, record: FormRecord): NewRow {
  const table = 'zerver_channelfolder';
  const id = requiredId(table, record, 'id');
  return {
    former_id: id,
    name: textOf(table, record, 'name', MAX_CHANNEL_NAME_LENGTH).trim(),
    ...describe(record, table),
    creator_id: idOf(record, 'creator') ?? null,
    date_created: timeOf(record, 'date_created') ?? new Date(now * 1000).toISOString(),
    is_archived: flagOf(record, 'is_archived', false),
    position: numberOf(record, 'order') ?? id,
  };
}

/** Who could post, as older servers had it, by role. */
const postPolicies: Readonly<Record<number, SystemGroup>> = {
  1: 'role:everyone',
  2: 'role:administrators',
  3: 'role:fullmembers',
  4: 'role:moderators',
};

async function channelRow(
  importing: Importing,
  { tx }: Piece,
  record: FormRecord,
  defaults: ReadonlySet<number | undefined>,
): Promise<NewRow> {
  const table = 'zerver_stream';
  const id = requiredId(table, record, 'id');
  const invite_only = flagOf(record, 'invite_only', false);
  const retention = numberOf(record, 'message_retention_days');
  return {
    former_id: id,
    name: textOf(table, record, 'name', MAX_CHANNEL_NAME_LENGTH).trim(),
    ...describe(record, table),
    creator_id: idOf(record, 'creator') ?? null,
    invite_only,
    is_web_public: !invite_only && flagOf(record, 'is_web_public', false),
    is_archived: flagOf(record, 'deactivated', false),
    is_default: defaults.has(id),
    history_public_to_subscribers:
      !invite_only || flagOf(record, 'history_public_to_subscribers', false),
    message_retention_days: retention === undefined ? null : Math.trunc(retention),
    folder_id: idOf(record, 'folder') ?? null,
    topics_policy:
      TopicsPolicy.safeParse(settingValue('topics_policy', record['topics_policy'])).data ??
      'inherit',
    date_created: timeOf(record, 'date_created') ?? new Date(importing.now * 1000).toISOString(),
    ...(await channelGroups(importing, tx, record)),
  };
}

async function channelGroups(
  importing: Importing,
  tx: Piece['tx'],
  record: FormRecord,
): Promise<Record<ChannelGroupSetting, UserGroupId>> {
  const system = await systemGroupIds(tx, importing.realm);
  const known = await importing.newIds(
    tx,
    'group',
    channelGroupSettings.flatMap((name) => idOf(record, name) ?? []),
  );
  const initial = (name: ChannelGroupSetting): UserGroupId => {
    const policy = postPolicies[numberOf(record, 'stream_post_policy') ?? 0];
    if (name === 'can_send_message_group' && policy) return system[policy];
    const group = supportedPermissionSettings.stream[name]?.default_group_name;
    return system[(group === 'stream_creator_or_nobody' ? 'role:nobody' : group) as SystemGroup];
  };
  return Object.fromEntries(
    channelGroupSettings.map((name) => [
      name,
      known.get(idOf(record, name) ?? -1) ?? initial(name),
    ]),
  ) as Record<ChannelGroupSetting, UserGroupId>;
}

async function addDefaultGroup(
  { realm }: Importing,
  { tx }: Piece,
  record: FormRecord,
): Promise<void> {
  const table = 'zerver_defaultstreamgroup';
  const streams = Array.isArray(record['streams']) ? record['streams'] : [];
  const row = {
    realm_id: realm,
    name: textOf(table, record, 'name', MAX_CHANNEL_NAME_LENGTH).trim(),
    description: textOf(table, record, 'description', MAX_CHANNEL_DESCRIPTION_LENGTH),
  };
  const { id } = await tx
    .insertInto('default_channel_group')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into default_channel_group_channel (realm_id, group_id, channel_id)
    select ${realm}, ${id}, i.id from imported_id i where i.realm_id = ${realm} and i.kind = 'channel'
      and i.former_id = any(${streams.filter((stream) => Number.isSafeInteger(stream))}::bigint[])`.execute(
    tx,
  );
}

const isRealmSetting = (name: string): name is RealmSettingName =>
  Object.hasOwn(realmSettings, name);
/** Settings that are columns, or name channels. */
const apart = new Set(['name', 'description', 'waiting_period_threshold']);
const pointed = {
  new_stream_announcements_stream: 'new_stream_announcements_stream_id',
  signup_announcements_stream: 'signup_announcements_stream_id',
  moderation_request_channel: 'moderation_request_channel_id',
} as const;

/** The settings of the organization, those that this server has. */
async function setRealm(
  importing: Importing,
  { tx }: Piece,
  record: FormRecord,
  defaults: FormRecord | undefined,
): Promise<void> {
  const { realm } = importing;
  const settings: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(record)) {
    if (!isRealmSetting(name) || apart.has(name) || name.endsWith('_id')) continue;
    const parsed = realmSettings[name].schema.safeParse(settingValue(name, given));
    if (parsed.success) settings[name] = parsed.data;
  }
  const channelIds = await importing.newIds(
    tx,
    'channel',
    Object.keys(pointed).flatMap((name) => idOf(record, name) ?? []),
  );
  for (const [form, own] of Object.entries(pointed)) {
    const id = channelIds.get(idOf(record, form) ?? -1);
    if (id !== undefined) settings[own] = id;
  }
  const row = await realms.byId(tx, realm);
  const groups = await importing.newIds(
    tx,
    'group',
    realmGroupSettings.flatMap((name) => idOf(record, name) ?? []),
  );
  const permissions = realmGroupSettings.map((name) => [
    name,
    groups.get(idOf(record, name) ?? -1) ?? row.group_settings[name],
  ]);
  await realms.setGroupSettings(tx, realm, Object.fromEntries(permissions));
  if (defaults) await realms.setUserDefaults(tx, realm, settingsOf(defaults));
  await tx
    .updateTable('realm')
    .set({
      description: cutOf(record, 'description', 1000),
      waiting_period_days: Math.max(
        0,
        Math.trunc(numberOf(record, 'waiting_period_threshold') ?? 0),
      ),
      settings: JSON.stringify(settings),
      ...(timeOf(record, 'date_created') === null
        ? {}
        : { date_created: new Date((secondsOf(record, 'date_created') ?? 0) * 1000) }),
    })
    .where('id', '=', realm)
    .execute();
}
