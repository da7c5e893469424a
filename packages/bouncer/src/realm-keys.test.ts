import {
  createTestDatabase,
  keyFindings,
  type KeyFindings,
  readCatalogue,
} from '@bellhop/postgres/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type BouncerTables, migrations } from './bouncer.ts';

/** Objects that break a rule below, each with its reason. An unneeded entry fails the test. */
const exceptions = {
  /** Tables without realm_uuid, with all their keys. */
  tables: {
    remote_server: 'A row is a chat server, which may have many realms. Found by its UUID.',
    host_challenge: 'Proves that a chat server owns its host name.',
    provider_state: 'What Apple or Google said about credentials and an app, not about a realm.',
    used_registration: 'Found by the hash of a registration, whichever realm shows it.',
    invitation: 'Lets a chat server register.',
    quota_use: 'Counts uses by servers, realms and devices alike; a job deletes it by age.',
    registration_key: 'A key pair of the bouncer, for the phones of all realms.',
    ban: 'Refuses chat servers, whatever their realms.',
    audit_entry: 'What was done to a server, a realm or a device; it outlives them.',
    job: 'The queue of one database: workers claim by lane, key and due time across realms.',
    job_attempt: 'Belongs to a job.',
    schema_migration: 'The migrations that ran in this database.',
  },
  /** Indexes that do not begin with realm_uuid. None of them may be unique. */
  indexes: {
    push_outcome_at: 'The hourly clean-up deletes outcomes by age across realms.',
    push_outcome_number: 'A chat server reads the outcomes of all its realms.',
    push_trace_cipher: 'The operator finds a push by its ciphertext, whatever its realm.',
    push_trace_number: 'The clean-up deletes the oldest traces across realms.',
    push_request_started: 'The hourly clean-up deletes keys by age across realms.',
    device_app: 'Counts the devices of an app across realms, and ends the doubts about them.',
    device_expired: 'The daily clean-up deletes devices by the age of their death across realms.',
    remote_realm_server: 'Finds the realms of a server.',
  },
  /** Foreign keys that do not begin with realm_uuid. */
  foreignKeys: {
    push_outcome_server_uuid_fkey: 'The chat server that sent it; the realm may have moved since.',
    remote_realm_server_uuid_fkey: 'The server of a realm, which changes when the realm moves.',
  },
  /** Columns with an id and without a foreign key. */
  columns: {
    'device.device_id': 'Identifies the device within its realm.',
    'device.push_account_id': "The phone's id of its account.",
    'device.token_id': 'Names the token: a part of its hash.',
    'push_outcome.device_id': 'The device may have been deleted.',
    'push_outcome.token_id': 'The name of the token in the request.',
    'push_outcome.push_id': 'Identifies the push; notifications are not stored.',
    'push_trace.device_id': 'The device may have been deleted.',
    'push_trace.push_id': 'Identifies the push; notifications are not stored.',
    'push_trace.realm_uuid': 'Traces of a deleted realm go with it; a key would slow each push.',
    'push_trace.server_uuid': 'The chat server that sent it; the realm may have moved since.',
    'remote_realm.realm_id': "The chat server's id of the realm.",
    'remote_realm.realm_uuid':
      'Identifies the realm, without the server: a request for the realm of another server is rejected as such, and two servers cannot claim one realm.',
  },
} as const;

const database = createTestDatabase<BouncerTables>({ migrations });
let findings: KeyFindings;
beforeAll(async () => {
  findings = keyFindings(await readCatalogue((await database).database.kysely), {
    key: 'realm_uuid',
    without: Object.keys(exceptions.tables),
    isId: ({ column, type }) => type !== 'text' && /_(id|uuid)$/.test(column),
    parentKey: () => 'realm_uuid',
  });
});
afterAll(async () => (await database)[Symbol.asyncDispose]());

const namesOf = (group: keyof typeof exceptions) => Object.keys(exceptions[group]).toSorted();

describe('every table of a realm in the bouncer', () => {
  test('has a column realm_uuid that is not null', () => {
    const { all, withKey } = findings.tables;
    expect(withKey).toEqual([
      'device',
      'push_outcome',
      'push_request',
      'push_trace',
      'remote_realm',
    ]);
    expect(all.filter((table) => !withKey.includes(table))).toEqual(namesOf('tables'));
  });

  test('has only indexes that begin with realm_uuid; only indexes that are not unique may be exceptions', () => {
    expect(findings.uniqueIndexes).toEqual([]);
    expect(findings.otherIndexes).toEqual(namesOf('indexes'));
  });

  test('refers to other tables by realm_uuid', () => {
    expect(findings.foreignKeys).toEqual(namesOf('foreignKeys'));
  });

  test('has a foreign key for every column with an id', () => {
    expect(findings.columns).toEqual(namesOf('columns'));
  });
});

test('every sequence is logged: a standby of PostgreSQL 15 that is promoted cannot use another', async () => {
  const { rows } = await sql`select relname from pg_class
    where relkind = 'S' and relpersistence <> 'p'`.execute((await database).database.kysely);
  expect(rows).toEqual([]);
});
