import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createTestDatabase, readCatalogue } from '@bellhop/postgres/testing';
import { expect, test } from 'vitest';

import { serverMigrations, type Tables } from '../provision.ts';

/** Tables that no export has, each with its reason. An unneeded entry fails the test. */
const leftOut: Readonly<Record<string, string>> = {
  bot_change: 'what a bot has asked to be told: it asks again at its start',
  bot_delivery: 'a record of deliveries',
  bot_delivery_attempt: 'a record of deliveries',
  bot_topic: 'what a bot has asked to be told: it asks again at its start',
  client_device: 'a device registers again',
  console_account: 'a session',
  console_session: 'a session',
  console_sign_in_key: 'a session',
  email_change: 'a link in a mail to the former server',
  event: 'clients register again',
  event_counter: 'clients register again',
  event_queue: 'clients register again',
  imported_file: 'the notes of an import',
  imported_id: 'the notes of an import',
  invite: 'a link in a mail to the former server',
  job: 'work of the former server',
  job_attempt: 'work of the former server',
  known_login: 'a digest with the secret of the former server',
  loose_object: 'work of the former server',
  mail_check: 'work of the former server',
  mail_count: 'counts of a day',
  message_push: 'what phones show',
  missed_message: 'work of the former server',
  password_reset: 'a link in a mail to the former server',
  presence_counter: 'presence',
  push_device: 'a device registers again',
  push_request: 'work of the former server',
  push_trace: 'a record of pushes',
  realm_import: 'the notes of an import',
  realm_name: 'where a realm is found: made with the realm',
  reminder: 'documented as not carried over',
  scheduled_message: 'documented as not carried over',
  schema_migration: 'of the database',
  thumbnail: 'made again',
  upload_chunk: 'the bytes of a file, in its own file',
  user_presence: 'presence',
};

test('every table is exported and imported, or left out for a reason', async () => {
  await using created = await createTestDatabase<Tables>({ migrations: serverMigrations });
  const { columns } = await readCatalogue(created.database.kysely);
  const names = [...new Set(columns.map(({ table }) => table))].toSorted();
  const sources = async (...files: string[]) =>
    (
      await Promise.all(files.map((file) => readFile(join(import.meta.dirname, file), 'utf8')))
    ).join('\n');
  const exported = await sources(
    'export/export-tables.ts',
    'export/export-messages.ts',
    'export/export-files.ts',
    'export/export-realm.ts',
    // Who has which message: a part of a statement of export-messages.ts.
    '../model/messages/read/received.ts',
  );
  const has = (text: string, table: string) => new RegExp(String.raw`\b${table}\b`).test(text);
  // The realm itself is read by its own query.
  const missing = names.filter((name) => name !== 'realm' && !has(exported, name));
  expect(missing).toEqual(Object.keys(leftOut));
});
