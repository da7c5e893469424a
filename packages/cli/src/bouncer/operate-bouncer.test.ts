import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { createTestDatabase } from '@bellhop/postgres/testing';
import { serverMigrations } from '@bellhop/server/provision';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';

import { runBellhop, stubVariables } from '../run-bellhop.fixture.ts';
import { newSecrets } from '../secrets/new-secrets.ts';

const secrets = parseEnv(newSecrets('keys'));

test('an offline command that makes a new embedded database says which variable is not set', async () => {
  await using ends = new AsyncDisposableStack();
  const base = await mkdtemp(join(tmpdir(), 'bellhop-operate-'));
  ends.defer(() => rm(base, { recursive: true }));
  ends.defer(() => {
    vi.unstubAllEnvs();
  });
  // Nothing can be made in a file, so that the command ends here.
  await writeFile(join(base, 'file'), '');
  const dataDir = join(base, 'file', 'data');
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', '');
  vi.stubEnv('BELLHOP_DATA_DIR', dataDir);
  vi.stubEnv('BELLHOP_BOUNCER_ENCRYPTION_KEY', 'k'.repeat(64));
  const { err } = await runBellhop('bouncer', 'keys', 'first');
  expect(err).toContain(
    `BELLHOP_BOUNCER_DATABASE_URL is not set: making a new embedded database in ${dataDir}.\n`,
  );
});

test.each([
  ['first', {}, /^Set BELLHOP_BOUNCER_ENCRYPTION_KEY, /],
  [
    'import',
    { BELLHOP_BOUNCER_ENCRYPTION_KEY: 'k'.repeat(64) },
    /^BELLHOP_BOUNCER_KEYS is not set/,
  ],
  ['import', secrets, /^Set BELLHOP_BOUNCER_ENCRYPTION_KEY, /],
  ['reseal', {}, /^Set BELLHOP_BOUNCER_ENCRYPTION_KEY, /],
  [
    'reseal',
    { BELLHOP_BOUNCER_ENCRYPTION_KEY: 'k'.repeat(64) },
    /^There is no database in .*data: set BELLHOP_BOUNCER_DATABASE_URL, or BELLHOP_DATA_DIR/,
  ],
])('a refused bellhop bouncer keys %s makes no database', async (command, environment, why) => {
  await using ends = new AsyncDisposableStack();
  const base = await mkdtemp(join(tmpdir(), 'bellhop-operate-'));
  ends.defer(() => rm(base, { recursive: true }));
  ends.defer(() => {
    vi.unstubAllEnvs();
  });
  const unset = ['DATABASE_URL', 'KEYS', 'ENCRYPTION_KEY'];
  for (const name of unset) vi.stubEnv(`BELLHOP_BOUNCER_${name}`, '');
  vi.stubEnv('BELLHOP_DATA_DIR', join(base, 'data'));
  stubVariables(environment);
  const { code, out, err } = await runBellhop('bouncer', 'keys', command);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(why);
  expect(await readdir(base)).toEqual([]);
});

test.each(['bouncer keys first', 'bouncer keys import', 'bouncer keys reseal', 'bouncer run'])(
  'bellhop %s refuses the database of a chat server, and changes nothing',
  async (command) => {
    await using ends = new AsyncDisposableStack();
    const chat = ends.use(await createTestDatabase({ migrations: serverMigrations }));
    ends.defer(() => {
      vi.unstubAllEnvs();
    });
    const environment = {
      ...secrets,
      BELLHOP_BOUNCER_DATABASE_URL: chat.url,
      BELLHOP_BOUNCER_ENCRYPTION_KEY: 'k'.repeat(64),
      BELLHOP_BOUNCER_PORT: '0',
    };
    stubVariables(environment);
    const recorded = async () =>
      (await sql`select * from schema_migration order by 1, 2`.execute(chat.database.kysely)).rows;
    const before = await recorded();
    const { code, err } = await runBellhop(...command.split(' '));
    expect({ code, err }).toEqual({
      code: 1,
      err: 'BELLHOP_BOUNCER_DATABASE_URL: This database belongs to a chat server, not to a bouncer. Nothing was changed.\n',
    });
    expect(await recorded()).toEqual(before);
  },
);
