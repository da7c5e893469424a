import {
  createTestDatabase,
  keyFindings,
  type KeyFindings,
  readCatalogue,
} from '@bellhop/postgres/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { serverMigrations, type Tables } from './provision.ts';

/** Tables, indexes and columns that break a rule below, each with its reason. An unneeded entry fails the test. */
const exceptions = {
  /** Tables without realm_id, with all their keys. */
  tables: {
    realm: 'A row is a realm: its id is the realm_id of others.',
    realm_name: 'Finds a realm by its subdomain, and keeps these and the UUIDs unique.',
    job: 'The queue of one database: workers claim by lane, key and due time across realms.',
    job_attempt: 'Belongs to a job.',
    schema_migration: 'The migrations that ran in this database.',
  },
  /** Indexes that do not begin with realm_id. None of them may be unique. */
  indexes: {
    message_search: 'GIN indexes text only; the query filters by realm.',
    message_sent: 'BRIN: the blocks of a time range hold messages of all realms.',
    recipient_participants: 'GIN indexes the array of participants; the query filters by realm.',
  },
  /** Columns with an id and without a foreign key. */
  columns: {
    'bot_delivery.owner_id': 'Only compared with the reader.',
    'bot_delivery.reply_message_id': 'A delivery outlives its reply.',
    'channel.first_message_id': 'Written by the transaction that writes the message after it.',
    'client_device.bouncer_device_id': "The bouncer's id of the token.",
    'client_device.push_key_id': "The phone's id of its key.",
    'event.realm_id': 'Hot table: event_counter, updated by the same statement, has the key.',
    'event_queue.acknowledged_id':
      'The number of an event, which is deleted while the queue lives.',
    'imported_id.former_id': 'An ID of another server.',
    'loose_object.realm_id': 'An object outlives its realm.',
    'mail_check.message_id': 'Hot table: written by the statement that writes the message.',
    'mail_check.realm_id': 'Hot table: written by the statement that writes the message.',
    'message.channel_id': "Hot table: repeats the recipient's, which the same transaction read.",
    'message.home_channel_id': 'Hot table: the channel_id that the message had before a move.',
    'message_push.message_id': 'Outlives its message: its row says which phones have to remove it.',
    'missed_message.message_id': 'A message that is gone is left out of the mail.',
    'push_device.bouncer_device_id': "The bouncer's id of the device.",
    'push_device.push_account_id': "The phone's id of its account.",
    'push_trace.device_id': 'A trace outlives the device.',
    'push_trace.message_id': 'A trace outlives the message that was pushed.',
    'push_trace.push_account_id': 'A trace outlives the device.',
    'push_trace.trace_id': 'The place in the list of a user; cipher_id identifies the trace.',
    'reminder.message_id': 'A reminder outlives its message, whose content it has.',
    'upload_message.message_id': 'Written before its message, in the same transaction.',
    'user_message.message_id': 'Hot table: written by the statement that writes the message.',
    'user_message.realm_id': 'Hot table: written by the statement that writes the message.',
    'user_message.user_id': 'Hot table: the same transaction read the receivers from the realm.',
  },
} as const;

const database = createTestDatabase<Tables>({ migrations: serverMigrations });
let findings: KeyFindings;
beforeAll(async () => {
  findings = keyFindings(await readCatalogue((await database).database.kysely), {
    key: 'realm_id',
    without: Object.keys(exceptions.tables),
    isId: ({ column, type }) => type === 'bigint' && /_(id|group)$/.test(column),
    parentKey: (parent) => (parent === 'realm' ? 'id' : 'realm_id'),
  });
});
afterAll(async () => (await database)[Symbol.asyncDispose]());

const namesOf = (group: keyof typeof exceptions) => Object.keys(exceptions[group]).toSorted();

describe('every table of a realm', () => {
  test('has a column realm_id that is not null', () => {
    const { all, withKey } = findings.tables;
    expect(withKey.length).toBeGreaterThan(20);
    expect(all.filter((table) => !withKey.includes(table))).toEqual(namesOf('tables'));
  });

  test('has only indexes that begin with realm_id; only indexes that are not unique may be exceptions', () => {
    expect(findings.uniqueIndexes).toEqual([]);
    expect(findings.otherIndexes).toEqual(namesOf('indexes'));
  });

  test('refers to other tables by realm_id and id', () => {
    expect(findings.foreignKeys).toEqual([]);
  });

  test('has a foreign key for every column with an id', () => {
    expect(findings.columns).toEqual(namesOf('columns'));
  });
});
