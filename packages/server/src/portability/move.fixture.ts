import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient } from '@bellhop/client';
import { sql } from 'kysely';
import { expect } from 'vitest';

import { newSecret, secretsOf } from '../provision.ts';
import type { TestChat } from '../test-chat.fixture.ts';
import { exportRealm } from './export/export-realm.ts';
import type { ExportRequest } from './export/export-run.ts';
import { importRealm, type ImportRequest } from './import/import-realm.ts';

/** A directory that is gone with its scope. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'bellhop-move-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Exports the realm of a chat. */
export const exportOf = (
  chat: TestChat,
  folder: string,
  more: Partial<ExportRequest> = {},
): Promise<void> =>
  exportRealm({
    db: chat.server.app.db,
    realm: chat.realm.id,
    folder,
    externalUrl: chat.server.app.config.externalUrl,
    files: chat.server.app.files,
    progress: () => {},
    ...more,
  });

/** Imports an export beside the realm of a chat. */
export const importInto = (chat: TestChat, folder: string, more: Partial<ImportRequest> = {}) =>
  importRealm({
    db: chat.server.app.db,
    secrets: chat.server.app.secrets,
    externalUrl: chat.server.app.config.externalUrl,
    folder,
    subdomain: 'moved',
    maxFileBytes: 10_000_000,
    progress: () => {},
    ...more,
  });

/** Makes the organization that was imported that of the host, so that clients reach it. */
export async function moveIn(chat: TestChat): Promise<void> {
  const { kysely } = chat.server.app.db;
  const name = async (from: string, to: string) => {
    await kysely
      .updateTable('realm')
      .set({ subdomain: to })
      .where('subdomain', '=', from)
      .execute();
    await sql`update realm_name set subdomain = ${to} where subdomain = ${from}`.execute(kysely);
  };
  await name('', `former-${newSecret(8).toLowerCase()}`);
  await name('moved', '');
  chat.server.app.realms.forget();
}

/** A client of somebody in the realm of the host, by their address. Their key is not known otherwise. */
export async function clientOf(chat: TestChat, email: string) {
  const { db, config } = chat.server.app;
  const row = await db.kysely
    .selectFrom('realm_user as u')
    .innerJoin('realm as r', 'r.id', 'u.realm_id')
    .select(['u.api_key_sealed', 'u.delivery_email'])
    .where('r.subdomain', '=', '')
    .where('u.delivery_email', '=', email)
    .executeTakeFirstOrThrow();
  const apiKey = secretsOf(config.secret).open(row.api_key_sealed);
  return { client: createClient({ url: chat.url, email, apiKey }), email, api_key: apiKey };
}
export type MovedPerson = Awaited<ReturnType<typeof clientOf>>;

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

const list = (value: Json | undefined) => (value ?? []) as readonly JsonObject[];

/** The parts of the initial state that a move keeps. */
const KEPT = [
  'realm',
  'realm_user',
  'realm_user_groups',
  'subscription',
  'stream',
  'default_streams',
  'channel_folders',
  'custom_profile_fields',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_domains',
  'realm_emoji',
  'realm_bot',
  'user_topic',
  'user_status',
  'user_settings',
  'muted_users',
  'alert_words',
  'drafts',
  'saved_snippets',
  'starred_messages',
  'message',
];

/** Keys whose values differ in another organization: numbers of the server, keys, and when it was made. */
const OWN = new Set([
  'api_key',
  'token',
  'queue_id',
  'max_message_id',
  'realm_uuid',
  'realm_url',
  'realm_uri',
  'realm_date_created',
  'event_queue_longpoll_timeout_seconds',
  'avatar_version',
  'server_timestamp',
  'recipient_id',
]);

/**
 * What somebody gets from the API: the state, every message that they can read with its flags, and their
 * files. With names in place of IDs: it is the same before and after a move.
 */
export async function answersFor(chat: TestChat, person: MovedPerson): Promise<object> {
  const ask = async (route: string, fields: Record<string, string> = {}) =>
    (await chat.ask(person as never, route, fields)).body as unknown as JsonObject;
  const state = await ask('POST /register', {
    event_types: '[]',
    fetch_event_types: JSON.stringify(KEPT),
    client_capabilities: JSON.stringify({
      archived_channels: true,
      include_deactivated_groups: true,
    }),
  });
  const { messages } = await ask('GET /messages', {
    anchor: 'oldest',
    num_before: '0',
    num_after: '5000',
    allow_empty_topic_name: 'true',
  });
  const raw = await ask('GET /messages', {
    anchor: 'oldest',
    num_before: '0',
    num_after: '5000',
    apply_markdown: 'false',
  });
  const { attachments } = await ask('GET /attachments');
  const { profile_data: _own, ...me } = await ask('GET /users/me');
  const histories: Json[] = [];
  for (const message of list(messages))
    if (message['edit_history'] !== undefined)
      histories.push(
        (await ask(`GET /messages/${Number(message['id'])}/history`))['message_history'] ?? null,
      );
  // The bots of the server itself are made with each organization.
  const bots = list(state['cross_realm_bots']).map(({ date_joined: _when, ...bot }) => bot);
  const names = namesIn(state, list(messages));
  const shown = {
    state: { ...state, cross_realm_bots: bots },
    messages: messages ?? [],
    attachments: attachments ?? [],
    me,
    histories,
  };
  const contents = list(raw['messages']).map(({ content }) => content ?? null);
  return withNames({ ...shown, contents } as unknown as Json, names) as object;
}

type Names = ReadonlyMap<string, ReadonlyMap<number, string>>;

function namesIn(state: JsonObject, messages: readonly JsonObject[]): Names {
  const by = (rows: readonly JsonObject[], id: string, name: string): [number, string][] =>
    rows.map((row) => [Number(row[id]), row[name] as string]);
  const channels = [
    ...list(state['streams']),
    ...list(state['subscriptions']),
    ...list(state['unsubscribed']),
    ...list(state['never_subscribed']),
  ];
  const emoji = Object.values((state['realm_emoji'] ?? {}) as Record<string, JsonObject>);
  return new Map([
    [
      'user',
      new Map(
        by(
          [
            ...list(state['realm_users']),
            ...list(state['realm_non_active_users']),
            ...list(state['cross_realm_bots']),
          ],
          'user_id',
          'full_name',
        ),
      ),
    ],
    ['channel', new Map(by(channels, 'stream_id', 'name'))],
    ['group', new Map(by(list(state['realm_user_groups']), 'id', 'name'))],
    ['message', new Map(messages.map(({ id }, at) => [Number(id), `message ${at}`]))],
    ['folder', new Map(by(list(state['channel_folders']), 'id', 'name'))],
    ['emoji', new Map(by(emoji, 'id', 'name'))],
  ]);
}

/** Which IDs a key has. */
const kindOf = (key: string): string | undefined => {
  if (
    /^(?:user_?ids?|.*_user_ids?|sender_ids?|owner_id|author_id|creator_id|bot_owner_id|subscribers|partial_subscribers|members|direct_members|user_ids_string)$/.test(
      key,
    )
  )
    return 'user';
  if (/^(?:stream_ids?|.*_stream_id|.*_channel_id|prev_stream|stream|default_streams)$/.test(key))
    return 'channel';
  if (key === 'folder_id') return 'folder';
  if (/_groups?$|^(?:direct_subgroups|direct_subgroup_ids|subgroups)$/.test(key)) return 'group';
  if (/^(?:message_ids?|.*message_ids?|starred_messages|unread_message_ids)$/.test(key))
    return 'message';
  return undefined;
};

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function withNames(value: Json, names: Names, key = ''): Json {
  if (typeof value === 'string') return textWithNames(value, names);
  if (typeof value === 'number') {
    const kind = kindOf(key);
    return kind === undefined ? value : (names.get(kind)?.get(value) ?? `a ${kind}`);
  }
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map((item) => withNames(item, names, key));
    const isSet = kindOf(key) !== undefined || !items.some((item) => typeof item === 'object');
    return isSet
      ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : items;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value)
    .filter(([name]) => !OWN.has(name))
    .map(([name, item]): [string, Json] => {
      // The ID of the row itself.
      if (name === 'id') return [name, 'an ID'];
      if (name === 'emoji_code' && value['reaction_type'] === 'realm_emoji')
        return [name, names.get('emoji')?.get(Number(item)) ?? 'an emoji'];
      // Of a draft.
      if (name === 'to')
        return [name, withNames(item, names, value['type'] === 'stream' ? 'stream_id' : 'user_id')];
      if (/^\d+$/.test(name)) return ['an ID', withNames(item, names, key)];
      return [name, withNames(item, names, name)];
    });
  return Object.fromEntries(entries);
}

const textWithNames = (text: string, names: Names): string => {
  const name = (kind: string, id: string) => names.get(kind)?.get(Number(id)) ?? id;
  return text
    .replace(/data-user-id="(\d+)"/g, (_all, id: string) => `data-user-id="${name('user', id)}"`)
    .replace(
      /data-stream-id="(\d+)"/g,
      (_all, id: string) => `data-stream-id="${name('channel', id)}"`,
    )
    .replace(
      /data-user-group-id="(\d+)"/g,
      (_all, id: string) => `data-user-group-id="${name('group', id)}"`,
    )
    .replace(/\|(\d+)\*\*/g, (_all, id: string) => `|${name('user', id)}**`)
    .replace(
      /(near\/|@)(\d+)/g,
      (_all, before: string, id: string) => `${before}${name('message', id)}`,
    )
    .replace(
      /(channel\/)(\d+)/g,
      (_all, before: string, id: string) => `${before}${name('channel', id)}`,
    )
    .replace(/\/?user_uploads\/(thumbnail\/)?\d+\/\w+\//g, '/user_uploads/…/')
    .replace(/^\d+\/\w{24}\//, '…/')
    .replace(/\/user_avatars\/\d+\/(?:emoji\/images\/(?:still\/)?)?\d+/g, '/user_avatars/…')
    .replace(/\?v(?:ersion)?=\d+/g, '?v')
    .replace(/^user\d+@/, 'user…@');
};

/** Resolves when messages show the thumbnails of their images. */
export async function thumbnailsOf(chat: TestChat): Promise<void> {
  const waiting = () =>
    chat.server.app.db.kysely
      .selectFrom('message')
      .select('id')
      .where('rendered_content', 'like', '%image-loading-placeholder%')
      .execute();
  await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(0);
}
