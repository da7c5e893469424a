import {
  cutText,
  MAX_MESSAGE_LENGTH,
  type MessageId,
  type RecipientId,
  type UserId,
} from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../engine/call.ts';
import type { DirectoryRows } from '../../markdown/directory.ts';
import { mentionNames } from '../../markdown/mention-names.ts';
import { conversation } from '../../model/messages/queries.ts';
import { pathOf } from '../../model/uploads/attachment-record.ts';
import type { UploadRow } from '../../model/uploads/queries.ts';
import { idOf } from '../form-fields.ts';
import { type FormRecord, PortabilityError } from '../form.ts';
import type { Importing } from './importing.ts';
import { namedIn, type Renamed } from './rewrite-message.ts';

export const textOrNone = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The Markdown of a message, cut to its limit. */
export function contentOf(record: FormRecord): string {
  const value = record['content'];
  if (typeof value !== 'string')
    throw new PortabilityError(`Message ${String(record['id'])} of the export has no content.`);
  const text = value.replaceAll('\0', '').toWellFormed();
  return cutText(text, MAX_MESSAGE_LENGTH, '\n[message truncated]');
}

/** The entries of an edit history, which the form has as JSON text. */
export function formerEntries(record: FormRecord): FormRecord[] {
  const history = record['edit_history'];
  if (typeof history !== 'string' || history === '') return [];
  try {
    const entries: unknown = JSON.parse(history);
    return Array.isArray(entries)
      ? entries.filter((entry) => typeof entry === 'object' && entry !== null)
      : [];
  } catch {
    throw new PortabilityError(
      `The edit history of message ${String(record['id'])} of the export is no JSON text.`,
    );
  }
}

interface Place {
  readonly id: MessageId;
  readonly sender_id: UserId;
  readonly recipient_id: RecipientId;
  readonly channel_id: number | null;
}

/** Where messages are, who sent them, and their IDs. */
export async function placesOf(
  { realm, newIds: find }: Importing,
  tx: Tx,
  records: readonly FormRecord[],
): Promise<{ of: (record: FormRecord) => Place | undefined }> {
  const all = (name: string) => records.flatMap((record) => idOf(record, name) ?? []);
  const ids = await find(tx, 'message', all('id'));
  const senders = await find(tx, 'user', all('sender'));
  const recipients = await find(tx, 'recipient', all('recipient'));
  const channels = await find(tx, 'channel of recipient', all('recipient'));
  const people = await find(tx, 'person', all('recipient'));
  const direct = new Map<string, RecipientId>();
  for (const record of records) {
    const sender = senders.get(idOf(record, 'sender') ?? -1);
    const person = people.get(idOf(record, 'recipient') ?? -1);
    if (sender === undefined || person === undefined) continue;
    const key = pairOf(sender, person);
    if (!direct.has(key))
      direct.set(key, await conversation(tx, realm, [sender as UserId, person as UserId]));
  }
  return {
    of: (record) => {
      const id = ids.get(idOf(record, 'id') ?? -1);
      const sender = senders.get(idOf(record, 'sender') ?? -1);
      const former = idOf(record, 'recipient') ?? -1;
      const person = people.get(former);
      if (id === undefined || sender === undefined) return undefined;
      const recipient =
        person === undefined ? recipients.get(former) : direct.get(pairOf(sender, person));
      return recipient === undefined
        ? undefined
        : {
            id: id as MessageId,
            sender_id: sender as UserId,
            recipient_id: recipient as RecipientId,
            channel_id: person === undefined ? (channels.get(former) ?? null) : null,
          };
    },
  };
}

const pairOf = (a: number, b: number) => `${Math.min(a, b)} ${Math.max(a, b)}`;

export interface RenamedWithUploads extends Renamed {
  /** The files of this server by their path. */
  readonly uploads: ReadonlyMap<string, UploadRow>;
}

/** Looks up what all messages of a batch name, old versions included. */
export async function renamedIn(
  { realm, newIds: find, formerUrl }: Importing,
  url: string,
  tx: Tx,
  records: readonly FormRecord[],
): Promise<RenamedWithUploads> {
  const named = records.flatMap((record) => [
    namedIn(contentOf(record), textOrNone(record['rendered_content']) ?? ''),
    ...formerEntries(record).map((entry) =>
      namedIn(
        textOrNone(entry['prev_content']) ?? '',
        textOrNone(entry['prev_rendered_content']) ?? '',
      ),
    ),
  ]);
  const entries = records.flatMap(formerEntries);
  const streams = entries.flatMap((entry) => [
    idOf(entry, 'stream') ?? [],
    idOf(entry, 'prev_stream') ?? [],
  ]);
  const editors = entries.flatMap((entry) => idOf(entry, 'user_id') ?? []);
  const paths = [...new Set(named.flatMap(({ files }) => files))];
  const { rows } = await sql<UploadRow & { path: string }>`select f.path, u.* from imported_file f
    join upload u on u.realm_id = f.realm_id and u.id = f.upload_id
    where f.realm_id = ${realm} and f.path = any(${paths}::text[])`.execute(tx);
  const files = new Map(rows.map((row) => [row.path, pathOf(row)]));
  return {
    users: await find(tx, 'user', [...named.flatMap(({ users }) => users), ...editors]),
    groups: await find(
      tx,
      'group',
      named.flatMap(({ groups }) => groups),
    ),
    channels: await find(tx, 'channel', [
      ...named.flatMap(({ channels }) => channels),
      ...streams.flat(),
    ]),
    messages: await find(
      tx,
      'message',
      named.flatMap(({ messages }) => messages),
    ),
    files,
    uploads: new Map(rows.map((row) => [pathOf(row), row])),
    formerUrl,
    url,
  };
}

/** The people, channels and groups that have the names in these messages now, for those without HTML. */
export async function namedNow(
  { realm }: Importing,
  tx: Tx,
  records: readonly FormRecord[],
): Promise<DirectoryRows> {
  const raw = records.filter((record) => textOrNone(record['rendered_content']) === undefined);
  const names = raw.map((record) => mentionNames(contentOf(record)));
  if (names.length === 0) return {};
  const every = (sets: readonly ReadonlySet<string>[]) => [
    ...new Set(sets.flatMap((set) => [...set])),
  ];
  // `Name|12` of a converter has the former ID: its name is looked for, and checked with the new ID.
  const people = raw.flatMap((record) =>
    [...contentOf(record).matchAll(/@_?\*\*([^*\n|]{1,180})\|\d+\*\*/g)].map(
      ([, name = '']) => name,
    ),
  );
  const lowered = (list: readonly string[]) =>
    sql`array(select lower(n) from unnest(${list}::text[]) n)`;
  const users = await sql<{ id: number; full_name: string; is_active: boolean }>`
    select id, full_name, is_active from realm_user where realm_id = ${realm}
      and lower(full_name) = any(${lowered([...every(names.map(({ user_names }) => user_names)), ...people])})`.execute(
    tx,
  );
  const groups = await sql<{ id: number; name: string; deactivated: boolean }>`
    select id, name, deactivated from user_group where realm_id = ${realm}
      and lower(name) = any(${lowered(every(names.map(({ group_names }) => group_names)))})`.execute(
    tx,
  );
  const channels = await sql<{ id: number; name: string }>`
    select id, name from channel where realm_id = ${realm}
      and lower(name) = any(${lowered(every(names.map(({ channel_names }) => channel_names)))})`.execute(
    tx,
  );
  return { users: users.rows, groups: groups.rows, channels: channels.rows };
}
