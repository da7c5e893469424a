import { join } from 'node:path';

import { sql } from 'kysely';

import { requiredId } from '../form-fields.ts';
import { inBatches, readTables } from '../json-file.ts';
import type { Importing, Piece } from './importing.ts';

const ROWS = 5000;

/** Notes the IDs of the messages in one file. */
export async function noteMessages(
  { realm, folder }: Importing,
  { tx }: Piece,
  file: string,
): Promise<void> {
  const records = readTables(join(folder, file), new Set(['zerver_message']));
  for await (const batch of inBatches(records, ROWS)) {
    const ids = batch.map(({ table, record }) => requiredId(table, record, 'id'));
    await sql`insert into imported_id (realm_id, kind, former_id, id)
      select ${realm}, 'unnumbered message', id, 0 from unnest(${ids}::bigint[]) id
      on conflict do nothing`.execute(tx);
  }
}

/** Gives messages their IDs in the order of the former ones, some at a time. Returns false at the end. */
export async function numberMessages({ realm }: Importing, { tx }: Piece): Promise<boolean> {
  const { rows } = await sql`with next as (
      delete from imported_id where realm_id = ${realm} and kind = 'unnumbered message'
        and former_id = any(array(select former_id from imported_id
          where realm_id = ${realm} and kind = 'unnumbered message' order by former_id limit 10000))
      returning former_id
    ), made as (
      insert into imported_id (realm_id, kind, former_id, id)
      select ${realm}, 'message', o.former_id, nextval('message_id_seq')
      from (select former_id from next order by former_id) o
      returning 1
    )
    select from made limit 1`.execute(tx);
  return rows.length > 0;
}
