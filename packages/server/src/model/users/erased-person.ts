import {
  type ChannelId,
  type MessageId,
  profileFieldTypes,
  type RecipientId,
} from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { newSecret, type Secrets } from '../../engine/secrets.ts';
import * as queries from './queries.ts';

type Person = Pick<User, 'id' | 'realm_id'>;

/** What is left of a person whose data is erased: a number to which their messages and changes belong. */
export const erasedName = ({ id }: Pick<User, 'id'>): string => `Deleted user ${id}`;
export const erasedEmail = ({ id }: Pick<User, 'id'>): string => `deleted-${id}@erased.invalid`;

/** Tables whose rows belong to one person, by the column that says to whom. */
export const ownTables = {
  alert_word: 'user_id',
  avatar: 'user_id',
  client_device: 'user_id',
  console_account: 'user_id',
  console_sign_in_key: 'user_id',
  custom_profile_value: 'user_id',
  draft: 'user_id',
  email_change: 'user_id',
  invite: 'invited_by',
  known_login: 'user_id',
  message_push: 'user_id',
  missed_message: 'user_id',
  muted_user: 'user_id',
  navigation_view: 'user_id',
  password_reset: 'user_id',
  push_device: 'user_id',
  push_trace: 'user_id',
  reminder: 'user_id',
  saved_snippet: 'user_id',
  scheduled_message: 'sender_id',
  subscription: 'user_id',
  user_group_member: 'user_id',
  user_presence: 'user_id',
  user_status: 'user_id',
  user_topic: 'user_id',
} as const;

/** Removes name, address, picture, settings, keys and everything that is only theirs. */
export async function erasePerson(
  tx: Tx,
  user: Pick<User, 'id' | 'realm_id' | 'avatar_source' | 'avatar_version'>,
  secrets: Secrets,
): Promise<void> {
  const key = newSecret();
  await queries.update(tx, user, {
    full_name: erasedName(user),
    delivery_email: erasedEmail(user),
    is_active: false,
    can_create_users: false,
    can_change_user_emails: false,
    password_hash: null,
    api_key_mac: secrets.mac(key),
    api_key_sealed: secrets.seal(key),
    timezone: '',
    settings: '{}',
    avatar_source: 'G',
    avatar_version: user.avatar_source === 'U' ? user.avatar_version + 1 : user.avatar_version,
  });
  for (const [table, column] of Object.entries(ownTables))
    await sql`delete from ${sql.table(table)} where realm_id = ${user.realm_id}
      and ${sql.ref(column)} = ${user.id}`.execute(tx);
  // What somebody was to be found in, as a mentor for one.
  await sql`update custom_profile_value v set value = (
      select coalesce(jsonb_agg(e.one), '[]') from jsonb_array_elements(v.value::jsonb) e (one)
      where e.one <> to_jsonb(${user.id}::bigint))::text
    from custom_profile_field f
    where v.realm_id = ${user.realm_id} and f.realm_id = v.realm_id and f.id = v.field_id
      and case when f.field_type = ${profileFieldTypes.USER.id}
        then v.value::jsonb @> jsonb_build_array(${user.id}::bigint) end`.execute(tx);
}

/** Removes what they have read, starred and were mentioned in, some rows at a time. Returns false at the end. */
export async function eraseFlags(tx: Tx, { id, realm_id }: Person): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from user_message
    where realm_id = ${realm_id} and user_id = ${id} and message_id = any(array(
      select message_id from user_message where realm_id = ${realm_id} and user_id = ${id}
      limit 10000))`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Removes their reactions and votes. */
export async function eraseReactions(tx: Tx, { id, realm_id }: Person): Promise<void> {
  await sql`delete from reaction where realm_id = ${realm_id} and user_id = ${id}`.execute(tx);
  await sql`delete from submessage where realm_id = ${realm_id} and sender_id = ${id}`.execute(tx);
}

export interface OwnMessage {
  readonly id: MessageId;
  readonly recipient_id: RecipientId;
  readonly channel_id: ChannelId | null;
  readonly topic: string;
}

/** Some of their messages, oldest first, locked. */
export async function ownMessages(
  tx: Tx,
  { id, realm_id }: Person,
  limit: number,
): Promise<OwnMessage[]> {
  const { rows } = await sql<OwnMessage>`select id, recipient_id, channel_id, topic from message
    where realm_id = ${realm_id} and sender_id = ${id} order by id limit ${limit} for update`.execute(
    tx,
  );
  return rows;
}

/** Some of the files of a person; without `withLinked`, those that no message links. */
export async function ownUploads(
  db: Db,
  { id, realm_id }: Person,
  { withLinked, limit }: { readonly withLinked: boolean; readonly limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select u.id from upload u
    where u.realm_id = ${realm_id} and u.owner_id = ${id} and (${withLinked} or not exists (
      select from upload_message l where l.realm_id = ${realm_id} and l.upload_id = u.id))
    order by u.id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}
