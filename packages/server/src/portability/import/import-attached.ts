import { numberArray } from '@bellhop/postgres';
import { sql } from 'kysely';

import { canonicalCode } from '../../emoji/emoji-table.ts';
import { flagBits } from '../../model/messages/read/flags.ts';
import { cutOf, idOf, numberOf } from '../form-fields.ts';
import { ownFlags } from '../form-values.ts';
import type { FormRecord } from '../form.ts';
import type { Importing, Piece } from './importing.ts';
import { newIds } from './insert-rows.ts';

/** The flags of people on messages. */
export async function storeFlags(
  { realm }: Importing,
  { tx, count }: Piece,
  records: readonly FormRecord[],
): Promise<void> {
  const rows = records.map((record) => ({
    user: idOf(record, 'user_profile'),
    message: idOf(record, 'message'),
    flags: ownFlags(numberOf(record, 'flags_mask') ?? numberOf(record, 'flags') ?? 0),
  }));
  const result = await sql`insert into user_message (realm_id, user_id, message_id, flags)
    select ${realm}, u.id, m.id, r.flags
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r ("user" bigint, message bigint, flags integer)
    join imported_id u on u.realm_id = ${realm} and u.kind = 'user' and u.former_id = r."user"
    join imported_id m on m.realm_id = ${realm} and m.kind = 'message' and m.former_id = r.message
    on conflict do nothing`.execute(tx);
  count('flags of messages', Number(result.numAffectedRows ?? 0n));
}

/** Notes that everybody who receives these messages has read them, beside the flags that are stored. */
export async function storeRead(
  { realm }: Importing,
  { tx }: Piece,
  messages: readonly number[],
): Promise<void> {
  const ids = numberArray(messages);
  await sql`insert into user_message (realm_id, user_id, message_id, flags)
    select m.realm_id, s.user_id, m.id, ${flagBits.read}::integer from message m
    join subscription s on s.realm_id = m.realm_id and s.channel_id = m.channel_id and s.is_active
    where m.realm_id = ${realm} and m.id = any(${ids}::bigint[])
    union all
    select m.realm_id, p.user_id, m.id, ${flagBits.read}::integer from message m
    join recipient r on r.realm_id = m.realm_id and r.id = m.recipient_id
    cross join unnest(r.user_ids) p (user_id)
    where m.realm_id = ${realm} and m.id = any(${ids}::bigint[])
    on conflict do nothing`.execute(tx);
}

/** Tables whose records belong to messages. Some servers have them in realm.json, some beside the messages. */
export const attachedTables = ['zerver_reaction', 'zerver_submessage'];

/** Those in realm.json. */
export async function importAttached(importing: Importing, piece: Piece): Promise<void> {
  for await (const batch of importing.tables(attachedTables))
    for (const [table, records] of Map.groupBy(batch, ({ table: name }) => name))
      await storeAttached(
        importing,
        piece,
        table,
        records.map(({ record }) => record),
      );
}

/** Records of such a table. */
export async function storeAttached(
  importing: Importing,
  piece: Piece,
  table: string,
  records: readonly FormRecord[],
): Promise<void> {
  if (table === 'zerver_reaction') await storeReactions(importing, piece, records);
  else await storeSubmessages(importing, piece, records);
}

async function storeReactions(
  { realm }: Importing,
  { tx, count }: Piece,
  records: readonly FormRecord[],
): Promise<void> {
  const custom = await newIds(
    tx,
    realm,
    'emoji',
    records.flatMap((record) => customCode(record) ?? []),
  );
  const rows = records.flatMap((record) => {
    const code = customCode(record);
    const given = cutOf(record, 'emoji_code', 100);
    const type = cutOf(record, 'reaction_type', 100);
    const emoji_code = code === undefined ? given : custom.get(code)?.toString();
    const reaction_type = type === 'zulip_extra_emoji' ? 'svc_extra_emoji' : type;
    if (emoji_code === undefined || !REACTION_TYPES.has(reaction_type)) return [];
    return [
      {
        user: idOf(record, 'user_profile'),
        message: idOf(record, 'message'),
        emoji_name: cutOf(record, 'emoji_name', 100),
        emoji_code: reaction_type === 'unicode_emoji' ? canonicalCode(emoji_code) : emoji_code,
        reaction_type,
      },
    ];
  });
  const result =
    await sql`insert into reaction (realm_id, message_id, user_id, emoji_name, emoji_code, reaction_type)
    select ${realm}, m.id, u.id, r.emoji_name, r.emoji_code, r.reaction_type
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ("user" bigint, message bigint,
      emoji_name text, emoji_code text, reaction_type text))
      with ordinality r ("user", message, emoji_name, emoji_code, reaction_type, at)
    join imported_id u on u.realm_id = ${realm} and u.kind = 'user' and u.former_id = r."user"
    join imported_id i on i.realm_id = ${realm} and i.kind = 'message' and i.former_id = r.message
    join message m on m.realm_id = ${realm} and m.id = i.id
    order by r.at on conflict do nothing`.execute(tx);
  const stored = Number(result.numAffectedRows ?? 0n);
  count('reactions', stored);
  if (stored < records.length) count('reactions left out', records.length - stored);
}

const REACTION_TYPES = new Set(['unicode_emoji', 'realm_emoji', 'svc_extra_emoji']);

/** The ID of a custom emoji in a reaction with it. */
const customCode = (record: FormRecord): number | undefined =>
  record['reaction_type'] === 'realm_emoji' && /^\d{1,15}$/.test(String(record['emoji_code']))
    ? Number(record['emoji_code'])
    : undefined;

async function storeSubmessages(
  { realm }: Importing,
  { tx, count }: Piece,
  records: readonly FormRecord[],
): Promise<void> {
  const rows = records.map((record) => ({
    sender: idOf(record, 'sender'),
    message: idOf(record, 'message'),
    msg_type: cutOf(record, 'msg_type', 100),
    content: cutOf(record, 'content', 10_000),
  }));
  const result =
    await sql`insert into submessage (realm_id, message_id, sender_id, msg_type, content)
    select ${realm}, m.id, u.id, r.msg_type, r.content
    from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (sender bigint, message bigint,
      msg_type text, content text)) with ordinality r (sender, message, msg_type, content, at)
    join imported_id u on u.realm_id = ${realm} and u.kind = 'user' and u.former_id = r.sender
    join imported_id i on i.realm_id = ${realm} and i.kind = 'message' and i.former_id = r.message
    join message m on m.realm_id = ${realm} and m.id = i.id
    order by r.at`.execute(tx);
  count('parts of polls and lists', Number(result.numAffectedRows ?? 0n));
}
