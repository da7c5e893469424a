import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createUser, secretsOf } from '@bellhop/server/provision';
import { sql } from 'kysely';
import * as tar from 'tar';
import { afterEach, expect, test, vi } from 'vitest';

import { type Castle, startCastle } from '../castle.fixture.ts';
import { runBellhop } from '../run-bellhop.fixture.ts';

afterEach(() => vi.unstubAllEnvs());

async function castle() {
  const created = await startCastle({ BELLHOP_EXTERNAL_URL: 'http://chat.test:4600' });
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-move-'));
  return {
    created,
    folder,
    [Symbol.asyncDispose]: async () => {
      await created[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

async function addMember({ database, env }: Castle, full_name: string) {
  const secrets = secretsOf(env.BELLHOP_SECRET);
  const email = `${full_name.toLowerCase()}@chat.test`;
  const { user } = await database.transaction(async (tx) => {
    const { id } = await tx.selectFrom('realm').select('id').executeTakeFirstOrThrow();
    return createUser(tx, { realm: { id }, secrets }, { email, full_name, role: 400 });
  });
  return user;
}

test('bellhop realm export and import move an organization, and say what to do then', async () => {
  await using at = await castle();
  const out = join(at.folder, 'castle');
  const exported = await runBellhop('realm', 'export', '--out', out);
  expect([exported.code, exported.out]).toEqual([
    0,
    `"Castle" is in ${out}. Keep it like the database: it has what people wrote.\n`,
  ]);
  expect(exported.err).toContain('userprofile: 1\n');

  const imported = await runBellhop('realm', 'import', out, '--subdomain', 'moved');
  expect([imported.code, imported.err.split('\n').at(-2)]).toEqual([
    0,
    'first messages and thumbnails: 1',
  ]);
  expect(imported.out).toContain('1  people and bots\n');
  expect(imported.out).toContain(
    'The organization "moved" is there, and its people can choose passwords.\n',
  );
  const realms = await at.created.database.kysely
    .selectFrom('realm')
    .select(['subdomain', 'name', 'is_active'])
    .orderBy('id')
    .execute();
  expect(realms).toEqual([
    { subdomain: '', name: 'Castle', is_active: true },
    { subdomain: 'moved', name: 'Castle', is_active: true },
  ]);
  const reset = await runBellhop(
    'realm',
    'reset-password',
    'ada@chat.test',
    '--subdomain',
    'moved',
  );
  expect(reset.code).toBe(0);
});

test('the commands of docs/moving.md move an organization', async () => {
  await using at = await castle();
  const page = await readFile(new URL('../../../../docs/moving.md', import.meta.url), 'utf8');
  await addMember(at.created, 'Ann');
  const slack = join(at.folder, 'slack');
  await mkdir(join(slack, 'general'), { recursive: true });
  for (const [name, value] of Object.entries({
    'users.json': [{ id: 'U1', name: 'ada', profile: { email: 'ada@chat.test' } }],
    'channels.json': [{ id: 'C1', name: 'general', members: ['U1'] }],
    'general/2024-01-02.json': [{ user: 'U1', text: 'Hi', ts: '1704196001.000200' }],
  }))
    await writeFile(join(slack, name), JSON.stringify(value));
  const blocks = [...page.matchAll(/^```bash\nbellhop (.*)\n```$/gm)].map(([, words = '']) =>
    words.split(' '),
  );
  expect(blocks.length).toBeGreaterThan(2);
  for (const words of blocks) {
    const places = new Map([
      ['acme-export', join(at.folder, 'acme-export')],
      ['acme.tar.gz', join(at.folder, 'acme.tar.gz')],
      ['team-slack.zip', slack],
      ['ann@example.com', 'ann@chat.test'],
    ]);
    const args = words.map((word) => places.get(word) ?? word);
    const { code, err } = await runBellhop(...args);
    expect([words, code, code === 0 ? '' : err]).toEqual([words, 0, '']);
    // As the page says.
    if (words.includes('acme-export'))
      await tar.create({ file: join(at.folder, 'acme.tar.gz'), gzip: true, cwd: at.folder }, [
        'acme-export',
      ]);
  }
});

test('bellhop realm export --person writes the data of one person', async () => {
  await using at = await castle();
  const out = join(at.folder, 'ada');
  const { out: said } = await runBellhop(
    'realm',
    'export',
    '--out',
    out,
    '--person',
    'ada@chat.test',
  );
  expect(said).toBe(
    `The data of ada@chat.test in "Castle" is in ${out}. Keep it like the database: it has what people wrote.\n`,
  );
  expect(await readFile(join(out, 'bellhop.json'), 'utf8')).toContain('"scope": "person"');
  const refused = await runBellhop('realm', 'import', out, '--subdomain', 'ada');
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.err).toContain('This is the data of one person, not of an organization.');
});

test('bellhop realm erase-person says whom it would erase, and does it with --yes', async () => {
  await using at = await castle();
  const run = (...args: string[]) => runBellhop('realm', 'erase-person', ...args);
  const only = await run('ada@chat.test', '--yes');
  expect([only.code, only.out]).toEqual([1, '']);
  expect(only.err).toContain('ada@chat.test is the only owner of the organization.');
  expect((await run('bob@chat.test')).err).toContain('Nobody has the address bob@chat.test.');

  const user = await addMember(at.created, 'Bob');
  const jobs = async () =>
    (
      await sql<{ payload: object }>`select payload from job where name = 'erase_person'`.execute(
        at.created.database.kysely,
      )
    ).rows.map(({ payload }) => payload);
  const asked = await run('bob@chat.test', '--delete-messages');
  expect([asked.code, asked.out]).toEqual([
    0,
    'Bob (bob@chat.test) would be erased, with their messages and files. It cannot be undone: --yes does it.\n',
  ]);
  expect(await jobs()).toEqual([]);
  const done = await run('Bob@chat.test', '--yes');
  expect([done.code, done.out]).toEqual([
    0,
    `Bob (Bob@chat.test) is being erased, and their messages stay. From now on they are "Deleted user ${user.id}".\n`,
  ]);
  expect(await jobs()).toEqual([
    { realm_id: user.realm_id, user_id: user.id, deletes_messages: false },
  ]);
});

test('bellhop realm export and import refuse what cannot be done, with what to do instead', async () => {
  await using at = await castle();
  const out = join(at.folder, 'castle');
  for (const [args, message] of [
    [
      ['export', '--out', out, '--subdomain', 'court'],
      'There is no organization with the subdomain "court".',
    ],
    [
      ['export', '--out', out, '--public-only', '--person', 'ada@chat.test'],
      'Use either --public-only or --person.',
    ],
    [
      ['export', '--out', out, '--person', 'bob@chat.test'],
      'Nobody in the organization has the address bob@chat.test.',
    ],
    [['import', join(at.folder, 'none')], 'There is no '],
    [['import', at.folder, '--subdomain', 'Moved!'], 'write lower-case letters, digits and dashes'],
    [
      ['import', at.folder, '--former-url', 'castle'],
      'write an address such as https://chat.example.com',
    ],
  ] as const) {
    const { code, out: printed, err } = await runBellhop('realm', ...args);
    expect([printed, code === 0]).toEqual(['', false]);
    expect(err).toContain(message);
  }
  expect(await readdir(at.folder)).toEqual([]);
  expect((await runBellhop('realm', 'export', '--out', out)).code).toBe(0);
  const taken = await runBellhop('realm', 'import', out);
  expect(taken.err).toContain('has the subdomain "" already. Name another one with --subdomain.');
  vi.stubEnv('BELLHOP_EXTERNAL_URL', 'http://127.0.0.1:4600');
  const unreachable = await runBellhop('realm', 'import', out, '--subdomain', 'moved');
  expect(unreachable.err).toContain('Nobody could reach http://moved.127.0.0.1:4600');
});
