import type { RealmId, UserId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

/** Whose data an export has. */
export interface Scope {
  readonly realm: RealmId;
  /** Only what is public, or what is of one person. */
  readonly only?: 'public' | UserId;
  /** No message after it: those that are sent while the export runs. */
  readonly newest: number;
}

export type Condition = RawBuilder<boolean>;
export const always = sql<boolean>`true`;
export const never = sql<boolean>`false`;

/** Seconds with their fraction, as the form has times. */
export const seconds = (column: string) => sql`extract(epoch from ${sql.ref(column)})::float8`;

/** The condition that a scope has a message `m`. */
export function hasMessage({ realm, only, newest }: Scope): Condition {
  const isOld = sql<boolean>`m.realm_id = ${realm} and m.id <= ${newest}`;
  if (only === undefined) return isOld;
  if (only === 'public')
    return sql`${isOld} and m.channel_id in (select c.id from channel c
      where c.realm_id = ${realm} and not c.invite_only)`;
  return sql`${isOld} and (m.sender_id = ${only} or m.recipient_id in (select r.id from recipient r
    where r.realm_id = ${realm} and r.user_ids @> array[${only}::bigint]))`;
}

/** The condition that a scope has the message in `column`. */
export const isMessageOf = (scope: Scope, column: string): Condition =>
  sql`exists (select from message m where ${hasMessage(scope)} and m.id = ${sql.ref(column)})`;

/** The condition that a scope has what belongs to the user in `column`. */
export const isOwn = ({ only }: Scope, column: string): Condition => {
  if (only === undefined) return always;
  return only === 'public' ? never : sql`${sql.ref(column)} = ${only}`;
};

/** The condition that a scope has the channel in `column`. */
export const hasChannel = (scope: Scope, column: string): Condition => {
  const { realm, only } = scope;
  if (only === undefined) return always;
  if (only === 'public')
    return sql`exists (select from channel p where p.realm_id = ${realm}
      and p.id = ${sql.ref(column)} and not p.invite_only)`;
  return sql`(exists (select from subscription p where p.realm_id = ${realm} and p.user_id = ${only}
      and p.channel_id = ${sql.ref(column)})
    or exists (select from message p where p.realm_id = ${realm} and p.sender_id = ${only}
      and p.channel_id = ${sql.ref(column)}))`;
};

/** The condition that a scope has the uploaded file `u`. */
export const hasUpload = (scope: Scope): Condition => {
  const { realm, only } = scope;
  const isWhole = sql<boolean>`u.realm_id = ${realm} and u.is_complete`;
  if (only === undefined) return isWhole;
  if (only !== 'public') return sql`${isWhole} and u.owner_id = ${only}`;
  return sql`${isWhole} and exists (select from upload_message l
    join message m on m.realm_id = l.realm_id and m.id = l.message_id
    where l.realm_id = ${realm} and l.upload_id = u.id and ${hasMessage(scope)})`;
};

/** The condition that a scope has the conversation or channel of the recipient `r`. */
export function hasRecipient(scope: Scope): Condition {
  const { only } = scope;
  if (only === undefined) return always;
  const isChannel = sql<boolean>`(r.channel_id is not null and ${hasChannel(scope, 'r.channel_id')})`;
  return only === 'public'
    ? isChannel
    : sql`(${isChannel} or r.user_ids @> array[${only}::bigint])`;
}
