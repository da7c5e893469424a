import type { RecordedStatements } from '@bellhop/postgres/testing';
import { type Kysely, sql } from 'kysely';

import { distributedSchema, namesTable } from './distributed-schema.ts';
import { refusals } from './realm-refusals.ts';

/** Statements of the chat server that concern rows of several realms, each with its reason. */
const ACROSS_REALMS: readonly (readonly [RegExp, string])[] = [
  [
    /^delete from event_queue q using event_counter c/,
    'The sweep deletes unused queues of all realms: their two tables are joined by realm.',
  ],
  [
    /^select c.realm_id, c.last_seq, min/,
    'The sweep finds events that no queue needs any more: two tables joined by realm.',
  ],
  [
    /^select "realm_id", "last_seq" from "event_counter" where realm_id = any/,
    'A node compares each second what it has read of all realms for which it holds polls.',
  ],
  [
    /^select "api_key_sealed" from "realm_user" order by/,
    'A start tries its secret on the key of somebody.',
  ],
  [
    /^select "realm_id" from "upload" where "object_key" is not null limit/,
    'A start without a store for files looks whether some are in one.',
  ],
];

interface CheckedStatements {
  /** How many statements name a table. */
  readonly checked: number;
  /** Those that a distributor by realm does not run on one node, behind the reasons. */
  readonly refused: readonly string[];
  /** The exceptions of which none was sent. */
  readonly unneeded: readonly string[];
}

/** Checks the statements that were sent to the database of a chat server. */
export async function checkStatements<T>(
  recorded: RecordedStatements,
  db: Kysely<T>,
): Promise<CheckedStatements> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const statements = recorded.seenIn(rows[0]?.name ?? '');
  const schema = await distributedSchema(db, {
    isPlaced: ({ column }) => column === 'realm_id',
    also: { realm: 'id' },
  });
  const checked = statements.filter((text) => namesTable(text, schema)).map((text) => text.trim());
  const refused = checked.flatMap((text) => {
    const reasons = refusals(text, schema);
    return reasons.length > 0 ? [{ text, reasons }] : [];
  });
  return {
    checked: checked.length,
    refused: refused
      .filter(({ text }) => !ACROSS_REALMS.some(([known]) => known.test(text)))
      .map(({ text, reasons }) => `${reasons.join('; ')}: ${text}`),
    unneeded: ACROSS_REALMS.filter(([known]) => !refused.some(({ text }) => known.test(text))).map(
      ([, reason]) => reason,
    ),
  };
}
