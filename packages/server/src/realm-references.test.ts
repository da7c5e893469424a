import {
  createTestDatabase,
  type ForeignKey,
  readCatalogue,
  type TableColumn,
} from '@bellhop/postgres/testing';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';

import type { Tx } from './engine/call.ts';
import { serverMigrations, type Tables } from './provision.ts';

type Row = Readonly<Record<string, unknown>>;

const created = await createTestDatabase<Tables>({ migrations: serverMigrations });
const { database } = created;
afterAll(() => created[Symbol.asyncDispose]());

const { columns, foreignKeys } = await readCatalogue(database.kysely);
const compositeKeys = foreignKeys.filter((key) => key.columns.length > 1);

let serial = 0;
/** By table: values for further columns of a row, so that it satisfies the check constraints. */
const checkedColumns: Readonly<Record<string, (row: Row) => Row>> = {
  bot_change: () => ({ kind: 'edit' }),
  bot_delivery: () => ({ status: 'failed' }),
  custom_profile_field: () => ({ field_type: 1 }),
  draft: () => ({ type: '' }),
  push_device: () => ({ token_kind: 'fcm' }),
  user_topic: () => ({ visibility_policy: 1 }),
  scheduled_message: (row) => ('channel_id' in row ? {} : { user_ids: `{${(serial += 1)}}` }),
  recipient: (row) => ('channel_id' in row ? {} : { user_ids: `{${(serial += 1)}}` }),
};

/** A value of the column's type that no earlier call returned. */
function valueOf({ table, column, type }: TableColumn): unknown {
  serial += 1;
  switch (type) {
    case 'bigint':
    case 'integer':
    case 'smallint':
      return serial;
    case 'boolean':
      return false;
    case 'text':
      return `text ${serial}`;
    case 'bytea':
      return Buffer.from(`bytes ${serial}`);
    case 'json':
    case 'jsonb':
      return '{}';
    case 'uuid':
      return crypto.randomUUID();
    case 'timestamp with time zone':
      return new Date(serial);
    case 'bigint[]':
      return `{${serial}}`;
    default:
      throw new Error(`This test has no value for ${table}.${column} of type ${type}`);
  }
}

async function insert(tx: Tx, table: string, row: Row): Promise<Row> {
  const required = columns.filter((one) => one.table === table && one.is_required);
  const whole: Row = {
    ...Object.fromEntries(required.map((one) => [one.column, valueOf(one)])),
    ...checkedColumns[table]?.(row),
    ...row,
  };
  const names = Object.keys(whole).map((name) => sql.ref(name));
  const { rows } = await sql<Row>`insert into ${sql.table(table)} (${sql.join(names)})
    values (${sql.join(Object.values(whole))}) returning *`.execute(tx);
  return rows[0] ?? {};
}

/** Inserts a row and the rows that it must refer to, all in one realm. */
async function insertInRealm(tx: Tx, table: string, realm_id: unknown): Promise<Row> {
  return insert(tx, table, await requiredReferences(tx, table, realm_id));
}

async function requiredReferences(tx: Tx, table: string, realm_id: unknown): Promise<Row> {
  const row: Record<string, unknown> = { realm_id };
  for (const key of compositeKeys.filter((one) => one.table === table)) {
    const isRequired = key.columns.every((name) =>
      columns.some((one) => one.table === table && one.column === name && one.is_required),
    );
    if (isRequired)
      Object.assign(row, referenceTo(key, await insertInRealm(tx, key.parent, realm_id)));
  }
  return row;
}

/** The columns of a foreign key, without realm_id, with the values of this parent. */
const referenceTo = ({ columns: own, parent_columns }: ForeignKey, parent: Row): Row =>
  Object.fromEntries(own.slice(1).map((name, at) => [name, parent[parent_columns[at + 1] ?? '']]));

/** Inserts a row that refers to a row of the same or of another realm, and rolls back. */
async function insertReference(key: ForeignKey, to: 'same realm' | 'other realm'): Promise<void> {
  const rollback = new Error('rollback');
  await database
    .transaction(async (tx) => {
      const { id: here } = await insert(tx, 'realm', {});
      const { id: there } = await insert(tx, 'realm', {});
      const parent = await insertInRealm(tx, key.parent, to === 'same realm' ? here : there);
      const row = await requiredReferences(tx, key.table, here);
      await insert(tx, key.table, { ...row, ...referenceTo(key, parent) });
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
}

test.each(compositeKeys.map((key) => [`${key.table} (${key.columns.join(', ')})`, key] as const))(
  'the database rejects a row of another realm in %s',
  async (_, key) => {
    await insertReference(key, 'same realm');
    await expect(insertReference(key, 'other realm')).rejects.toMatchObject({
      code: '23503',
      constraint: key.name,
    });
  },
);

test('the catalogue lists more than 40 foreign keys of more than one column', () => {
  expect(compositeKeys.length).toBeGreaterThan(40);
});
