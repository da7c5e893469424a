import { join } from 'node:path';

import { numberArray } from '@bellhop/postgres';
import { cutText, type EditHistoryEntry, MAX_MESSAGE_LENGTH } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { DirectoryRows } from '../../markdown/directory.ts';
import { fillPreviews, noPreviews } from '../../markdown/fill-previews.ts';
import { type Lookups, renderMarkdown } from '../../markdown/render-markdown.ts';
import * as linkifiers from '../../model/linkifiers/queries.ts';
import * as realmEmoji from '../../model/realm-emoji/queries.ts';
import * as realms from '../../model/realms/queries.ts';
import { settingsOf } from '../../model/realms/realm-settings.ts';
import { realmUrl } from '../../model/realms/realm-url.ts';
import { previewsOf } from '../../model/uploads/previews-of.ts';
import { cutOf, idOf, requiredId, secondsOf } from '../form-fields.ts';
import type { FormRecord } from '../form.ts';
import { readTables, type TableRecord } from '../json-file.ts';
import { attachedTables, storeAttached, storeFlags, storeRead } from './import-attached.ts';
import type { Importing, Piece } from './importing.ts';
import {
  contentOf,
  formerEntries,
  textOrNone,
  namedNow,
  placesOf,
  renamedIn,
} from './message-lookups.ts';
import { namesAsRendered, type Renamed, rewriteContent } from './rewrite-message.ts';

/** Messages that are rendered and stored at a time. */
const BATCH = 500;
/** Rows of flags, reactions and the like. */
const ROWS = 5000;
const MAX_TOPIC_LENGTH = 60;
const MAX_CLIENT_LENGTH = 100;

/** What the messages of an import have in common. */
export interface MessageContext {
  /** The URL of the organization. */
  readonly url: string;
  readonly lookups: Lookups;
  /** Names of programs by their ID in the export. */
  readonly clients: ReadonlyMap<number, string>;
}

export async function messageContext(importing: Importing): Promise<MessageContext> {
  const db = importing.db.kysely;
  const row = await realms.byId(db, importing.realm);
  const url = realmUrl(importing.externalUrl, row.subdomain);
  const emoji = await realmEmoji.activePaths(db, importing.realm);
  const rules = await linkifiers.ofRealm(db, importing.realm);
  const clients = new Map<number, string>();
  for await (const batch of importing.tables(['zerver_client']))
    for (const { table, record } of batch)
      clients.set(requiredId(table, record, 'id'), cutOf(record, 'name', MAX_CLIENT_LENGTH));
  const settings = settingsOf(row);
  return {
    url,
    clients,
    lookups: {
      realmHost: new URL(url).host,
      linkifiers: rules,
      customEmoji: emoji,
      defaultLanguage: settings.default_code_block_language,
      previewsImages: settings.inline_image_preview,
    },
  };
}

/** The messages of one file with the flags of people, and what else the file has. */
export async function importMessages(
  importing: Importing,
  context: MessageContext,
  piece: Piece,
  file: string,
): Promise<void> {
  const tables = ['zerver_message', 'zerver_usermessage', ...attachedTables];
  const records = readTables(join(importing.folder, file), new Set(tables));
  const stored: number[] = [];
  for await (const { table, records: some } of byTable(records))
    if (table === 'zerver_message')
      stored.push(...(await storeMessages(importing, context, piece, some)));
    else if (table === 'zerver_usermessage') await storeFlags(importing, piece, some);
    else await storeAttached(importing, piece, table, some);
  if (importing.manifest?.is_read) await storeRead(importing, piece, stored);
}

interface TableBatch {
  readonly table: string;
  readonly records: readonly FormRecord[];
}

/** Records of one table after the other, in batches. */
async function* byTable(records: AsyncIterable<TableRecord>): AsyncGenerator<TableBatch> {
  let current: string | undefined;
  let batch: FormRecord[] = [];
  for await (const { table, record } of records) {
    const isFull = batch.length >= (current === 'zerver_message' ? BATCH : ROWS);
    if (current !== undefined && (table !== current || isFull)) {
      yield { table: current, records: batch };
      batch = [];
    }
    current = table;
    batch.push(record);
  }
  if (current !== undefined) yield { table: current, records: batch };
}

interface StoredRow {
  readonly id: number;
  readonly sender_id: number;
  readonly recipient_id: number;
  readonly channel_id: number | null;
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly sent_at: number;
  readonly client: string;
  readonly is_me_message: boolean;
  readonly has_link: boolean;
  readonly has_image: boolean;
  readonly has_attachment: boolean;
  readonly edit_history: readonly object[] | null;
  readonly last_edited_at: number | null;
  readonly last_moved_at: number | null;
}

/** Returns the IDs of the messages. */
async function storeMessages(
  importing: Importing,
  context: MessageContext,
  piece: Piece,
  records: readonly FormRecord[],
): Promise<number[]> {
  const { realm } = importing;
  const { tx } = piece;
  const places = await placesOf(importing, tx, records);
  const renamed = await renamedIn(importing, context.url, tx, records);
  const named = await namedNow(importing, tx, records);
  const rows: StoredRow[] = [];
  const links: { upload_id: number; message_id: number }[] = [];
  for (const record of records) {
    const place = places.of(record);
    if (!place) {
      piece.count('messages left out: nobody is left who sent them, or no place', 1);
      continue;
    }
    const content = contentOf(record);
    const html = textOrNone(record['rendered_content']);
    const isDirect = place.channel_id === null;
    const render = (text: string, former: string | undefined) =>
      rendered(context, { text, html: former, renamed, named, isDirect });
    const text = rewriteContent(content, renamed);
    const made = render(text, html);
    const uploads = made.attachment_paths.flatMap((path) => renamed.uploads.get(path) ?? []);
    links.push(...uploads.map(({ id }) => ({ upload_id: id, message_id: place.id })));
    rows.push({
      ...place,
      topic: isDirect ? '' : topicOf(record),
      content: text,
      rendered_content: fillPreviews(
        made.html,
        uploads.length > 0 ? previewsOf(uploads) : noPreviews,
      ),
      sent_at: secondsOf(record, 'date_sent') ?? 0,
      client: context.clients.get(idOf(record, 'sending_client') ?? -1) ?? 'Internal',
      is_me_message: made.is_me_message,
      has_link: made.has_link,
      has_image: made.has_image,
      has_attachment: uploads.length > 0,
      edit_history: historyOf(record, renamed, (entry, before) => render(entry, before).html),
      last_edited_at: secondsOf(record, 'last_edit_time') ?? null,
      last_moved_at: secondsOf(record, 'last_moved_time') ?? null,
    });
  }
  await sql`insert into message (realm_id, id, sender_id, recipient_id, channel_id, topic, content,
      rendered_content, sent_at, client, is_me_message, has_link, has_image, has_attachment,
      edit_history, last_edited_at, last_moved_at)
    overriding system value
    select ${realm}, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id bigint,
      sender_id bigint, recipient_id bigint, channel_id bigint, topic text, content text,
      rendered_content text, sent_at bigint, client text, is_me_message boolean, has_link boolean,
      has_image boolean, has_attachment boolean, edit_history jsonb, last_edited_at bigint,
      last_moved_at bigint)`.execute(tx);
  await sql`insert into upload_message (realm_id, upload_id, message_id)
    select ${realm}, l.* from jsonb_to_recordset(${JSON.stringify(links)}::jsonb)
      as l (upload_id bigint, message_id bigint) on conflict do nothing`.execute(tx);
  await sql`update upload set unclaimed_since = null where realm_id = ${realm}
    and id = any(${numberArray(links.map(({ upload_id }) => upload_id))}::bigint[])`.execute(tx);
  piece.count('messages', rows.length);
  return rows.map(({ id }) => id);
}

/** Older exports call the topic `subject`, as the database of public servers does to this day. */
const topicOf = (record: FormRecord): string =>
  cutOf(
    record,
    typeof record['topic'] === 'string' ? 'topic' : 'subject',
    MAX_TOPIC_LENGTH,
  ).replace(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu, '');

interface Rendering {
  readonly text: string;
  /** What the former server rendered; undefined if it did not. */
  readonly html: string | undefined;
  readonly renamed: Renamed;
  readonly named: DirectoryRows;
  readonly isDirect: boolean;
}

/**
 * Renders a text anew: HTML of others is not trusted. Its names stand for what they stood for in the HTML
 * that the export has.
 */
function rendered(
  { lookups }: MessageContext,
  { text, html, renamed, named, isDirect }: Rendering,
) {
  const names = html === undefined ? named : namesAsRendered(text, html, renamed);
  return renderMarkdown(text, {
    ...lookups,
    ...names,
    wildcards: isDirect ? ['channel'] : ['channel', 'topic'],
    translatesEmoticons:
      html !== undefined && /<span[^>]* class="emoji /.test(html) && /[:;][-()DP/|]/.test(text),
  });
}

function historyOf(
  record: FormRecord,
  renamed: Renamed,
  render: (content: string, html: string | undefined) => string,
): readonly object[] | null {
  const entries = formerEntries(record);
  if (entries.length === 0) return null;
  return entries.map((entry) => {
    const prev_stream = renamed.channels.get(idOf(entry, 'prev_stream') ?? -1);
    const stream = renamed.channels.get(idOf(entry, 'stream') ?? -1);
    const before = entry['prev_content'];
    const prev_content =
      typeof before === 'string'
        ? rewriteContent(
            cutText(before.replaceAll('\0', '').toWellFormed(), MAX_MESSAGE_LENGTH),
            renamed,
          )
        : undefined;
    const prev_topic = entry['prev_topic'] ?? entry['prev_subject'];
    const made: Record<string, unknown> = {
      user_id: renamed.users.get(idOf(entry, 'user_id') ?? -1) ?? null,
      timestamp: secondsOf(entry, 'timestamp') ?? 0,
      ...(prev_content === undefined
        ? {}
        : {
            prev_content,
            prev_rendered_content: render(prev_content, textOrNone(entry['prev_rendered_content'])),
          }),
      ...(typeof prev_topic === 'string'
        ? { prev_topic: cutText(prev_topic, MAX_TOPIC_LENGTH) }
        : {}),
      ...(typeof entry['topic'] === 'string'
        ? { topic: cutText(entry['topic'], MAX_TOPIC_LENGTH) }
        : {}),
      ...(prev_stream === undefined ? {} : { prev_stream }),
      ...(stream === undefined ? {} : { stream }),
    };
    return made satisfies Partial<Record<keyof EditHistoryEntry, unknown>>;
  });
}
