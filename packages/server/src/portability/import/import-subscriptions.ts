import { sql } from 'kysely';

import { flagOf, flagOrNull, idOf, numberOf, requiredId } from '../form-fields.ts';
import type { FormRecord } from '../form.ts';
import type { Importing, Piece } from './importing.ts';
import { flag, type NewRow, ref, text } from './insert-rows.ts';

/** The addresses of messages: channels, people, and conversations, which have their participants later. */
export async function importAddresses(importing: Importing, { tx }: Piece): Promise<void> {
  const { realm } = importing;
  for await (const batch of importing.tables(['zerver_recipient'])) {
    const rows = batch.map(({ table, record }) => ({
      id: requiredId(table, record, 'id'),
      type: numberOf(record, 'type'),
      type_id: requiredId(table, record, 'type_id'),
    }));
    await sql`with r as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (id bigint, type integer, type_id bigint))
      insert into imported_id (realm_id, kind, former_id, id)
      select ${realm}::bigint, 'recipient', r.id, x.id from r
        join imported_id c on c.realm_id = ${realm} and c.kind = 'channel' and c.former_id = r.type_id
        join recipient x on x.realm_id = ${realm} and x.channel_id = c.id
        where r.type = 2
      union all
      select ${realm}::bigint, 'person', r.id, u.id from r
        join imported_id u on u.realm_id = ${realm} and u.kind = 'user' and u.former_id = r.type_id
        where r.type = 1
      union all
      select ${realm}::bigint, 'conversation', r.id, 0 from r where r.type = 3
      on conflict do nothing`.execute(tx);
  }
}

const subscriptions = {
  table: 'subscription',
  columns: {
    user_id: ref('user'),
    // The channel of an address, which is not the ID of the address.
    channel_id: ref('channel of recipient'),
    is_active: flag,
    color: text,
    is_muted: flag,
    pin_to_top: flag,
    audible_notifications: flag,
    desktop_notifications: flag,
    email_notifications: flag,
    push_notifications: flag,
    wildcard_mentions_notify: flag,
  },
} as const;

const COLOR = /^#[0-9a-f]{3}(?:[0-9a-f]{3})?$/i;

/** Subscriptions to channels, and the participants of conversations, which the form has in the same table. */
export async function importSubscriptions(importing: Importing, piece: Piece): Promise<void> {
  const { realm } = importing;
  const { tx } = piece;
  await sql`insert into imported_id (realm_id, kind, former_id, id)
    select i.realm_id, 'channel of recipient', i.former_id, r.channel_id from imported_id i
    join recipient r on r.realm_id = i.realm_id and r.id = i.id and r.channel_id is not null
    where i.realm_id = ${realm} and i.kind = 'recipient'`.execute(tx);
  for await (const batch of importing.tables(['zerver_subscription'])) {
    const conversations = await importing.newIds(
      tx,
      'conversation',
      batch.flatMap(({ record }) => idOf(record, 'recipient') ?? []),
    );
    const participants: { recipient: number; user: number }[] = [];
    const rows: NewRow[] = [];
    for (const { table, record } of batch) {
      const recipient = requiredId(table, record, 'recipient');
      const user = requiredId(table, record, 'user_profile');
      if (conversations.has(recipient)) participants.push({ recipient, user });
      else rows.push({ user_id: user, channel_id: recipient, ...subscriptionRow(record) });
    }
    await sql`insert into imported_id (realm_id, kind, former_id, id)
      select ${realm}, 'participant', p.recipient, u.id
      from jsonb_to_recordset(${JSON.stringify(participants)}::jsonb) as p (recipient bigint, "user" bigint)
      join imported_id u on u.realm_id = ${realm} and u.kind = 'user' and u.former_id = p."user"
      on conflict do nothing`.execute(tx);
    // Each person has one to themselves, which is no subscription here.
    await piece.insert(
      'subscriptions',
      subscriptions,
      await withoutPersonal(importing, piece, rows),
    );
  }
  await sql`with p as (
      select former_id, array_agg(id order by id) as user_ids from imported_id
      where realm_id = ${realm} and kind = 'participant' group by former_id
    ), made as (
      insert into recipient (realm_id, user_ids) select distinct ${realm}::bigint, user_ids from p
      returning id, user_ids
    )
    insert into imported_id (realm_id, kind, former_id, id)
    select ${realm}::bigint, 'recipient', p.former_id, made.id from p join made using (user_ids)`.execute(
    tx,
  );
}

async function withoutPersonal(
  importing: Importing,
  { tx }: Piece,
  rows: readonly NewRow[],
): Promise<NewRow[]> {
  const recipients = rows.map(({ channel_id }) => Number(channel_id));
  const people = await importing.newIds(tx, 'person', recipients);
  return rows.filter(({ channel_id }) => !people.has(Number(channel_id)));
}

function subscriptionRow(record: FormRecord) {
  const color = record['color'];
  return {
    is_active: flagOf(record, 'active', true),
    color: typeof color === 'string' && COLOR.test(color) ? color : '#c2c2c2',
    // Older servers have the opposite.
    is_muted: flagOf(record, 'is_muted', !flagOf(record, 'in_home_view', true)),
    pin_to_top: flagOf(record, 'pin_to_top', false),
    audible_notifications: flagOrNull(record, 'audible_notifications'),
    desktop_notifications: flagOrNull(record, 'desktop_notifications'),
    email_notifications: flagOrNull(record, 'email_notifications'),
    push_notifications: flagOrNull(record, 'push_notifications'),
    wildcard_mentions_notify: flagOrNull(record, 'wildcard_mentions_notify'),
  };
}
