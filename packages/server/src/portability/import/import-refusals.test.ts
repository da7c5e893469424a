import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { create } from 'tar';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { secretsOf } from '../../provision.ts';
import { upload } from '../../resources/uploads/uploads.fixture.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { exportOf, importInto, temporaryFolder } from '../move.fixture.ts';
import { openExport } from './open-export.ts';
import { type ZipEntry, zipOf } from './zip.fixture.ts';

let chat: TestChat;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let whole: string;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  const file = await upload(hamlet, 'A letter', 'letter.txt');
  await hamlet.client.messages.send({
    type: 'direct',
    to: [cordelia.user.id],
    content: `Read [it](${file})`,
  });
  folder = await temporaryFolder();
  whole = join(folder.path, 'whole');
  await exportOf(chat, whole);
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

let copies = 0;
/** A copy of the export with a fault. */
async function faulty(spoil: (copy: string) => Promise<unknown>): Promise<string> {
  const copy = join(folder.path, `copy-${++copies}`);
  await cp(whole, copy, { recursive: true });
  await spoil(copy);
  return copy;
}
const edit = (name: string, change: (text: string) => string) => async (copy: string) => {
  const path = join(copy, name);
  await writeFile(path, change(await readFile(path, 'utf8')));
};
const uploadsRecords = (path: string) =>
  edit('attachment.json', (text) => text.replace(/"path_id":"[^"]+"/, `"path_id":"${path}"`));

const faults: Readonly<
  Record<string, [spoil: (copy: string) => Promise<unknown>, message: string | RegExp]>
> = {
  'a form of a newer version': [
    edit('bellhop.json', (text) => text.replace('"form": 1', '"form": 2')),
    'made by a newer version (form 2; this one reads 1). Update this server first.',
  ],
  'a damaged manifest': [
    edit('bellhop.json', () => '{"form": 1}'),
    'bellhop.json of the export is damaged. Export again.',
  ],
  'no manifest': [
    (copy) => rm(join(copy, 'bellhop.json')),
    'neither bellhop.json nor migration_status.json',
  ],
  'a public server of an unknown version': [
    async (copy) => {
      await rm(join(copy, 'bellhop.json'));
      await writeFile(join(copy, 'migration_status.json'), '{"zulip_version": "2.1.3"}');
    },
    'The export is of version 2.1.3; the forms of 4 to 12 are known.',
  ],
  'the data of one person': [
    edit('bellhop.json', (text) => text.replace('"all"', '"person"')),
    'This is the data of one person, not of an organization.',
  ],
  'a realm.json that is cut off': [
    edit('realm.json', (text) => text.slice(0, text.length / 2)),
    'realm.json is cut off. Copy the export again.',
  ],
  'a realm.json that is no JSON': [
    edit('realm.json', () => 'realm'),
    /^realm\.json is no JSON file: /,
  ],
  'a realm.json of another kind': [
    edit('realm.json', () => '{"users": [1, 2]}'),
    'realm.json has no organization (zerver_realm)',
  ],
  'a list of something else than records': [
    edit('realm.json', () => '{"zerver_realm": [7]}'),
    'realm.json is no list of records of an export.',
  ],
  'a missing file of messages': [
    (copy) =>
      rm(join(copy, 'messages-000001.json')).then(() =>
        writeFile(join(copy, 'messages-000002.json'), '{}'),
      ),
    'messages-000001.json is missing in the export.',
  ],
  'a missing upload': [
    (copy) => rm(join(copy, 'uploads'), { recursive: true }),
    /^uploads\/\d+\/\w+\/letter\.txt is missing in the export\. Copy the whole export/,
  ],
  'an upload outside of the export': [
    uploadsRecords('../../copy-secret'),
    'The export names the file "../copy-secret", which is outside of it.',
  ],
  'an upload by a link': [
    async (copy) => {
      await writeFile(join(folder.path, 'secret'), 'secret');
      await symlink(join(folder.path, 'secret'), join(copy, 'uploads', 'link'));
      await uploadsRecords('link')(copy);
    },
    'uploads/link of the export is no file within its folder.',
  ],
  'an upload below a link': [
    async (copy) => {
      await mkdir(join(folder.path, 'secrets'), { recursive: true });
      await writeFile(join(folder.path, 'secrets', 'one'), 'secret');
      await symlink(join(folder.path, 'secrets'), join(copy, 'uploads', 'deep'));
      await uploadsRecords('deep/one')(copy);
    },
    'uploads/deep/one of the export is no file within its folder.',
  ],
  'a person without an address': [
    edit('realm.json', (text) => text.replaceAll('hamlet@chat.test', 'hamlet')),
    /^zerver_userprofile \d+ of the export: "hamlet" is no e-mail address\.$/,
  ],
  'two people with one address': [
    edit('realm.json', (text) => text.replaceAll('cordelia@chat.test', 'Hamlet@chat.test')),
    'two people or bots of the export have the same e-mail address',
  ],
  'a name that is too long': [
    edit('realm.json', (text) => text.replace('"Hamlet"', JSON.stringify('H'.repeat(101)))),
    /^zerver_userprofile \d+ of the export: full_name has more than 100 characters\.$/,
  ],
  'a message without content': [
    edit('messages-000001.json', (text) => text.replace('"content":', '"text":')),
    /^Message \d+ of the export has no content\.$/,
  ],
};

test.for(Object.entries(faults))(
  'an export with %s is refused',
  async ([name, [spoil, message]]) => {
    const subdomain = `faulty-${Object.keys(faults).indexOf(name)}`;
    await expect(importInto(chat, await faulty(spoil), { subdomain })).rejects.toThrow(message);
  },
);

test('files beyond the limit of uploads are refused before anything is imported', async () => {
  await expect(importInto(chat, whole, { subdomain: 'large', maxFileBytes: 7 })).rejects.toThrow(
    /the file \d+\/\w+\/letter\.txt is larger than 0 MiB\. Raise BELLHOP_MAX_UPLOAD_MIB/,
  );
  expect(await realmsNamed('large')).toEqual([]);
});

test('a subdomain that is taken is refused, also by another import that has not ended', async () => {
  await expect(importInto(chat, whole, { subdomain: '' })).rejects.toThrow(
    'The organization "Test" has the subdomain "" already. Name another one with --subdomain.',
  );
  const broken = await faulty(
    edit('messages-000001.json', (text) => text.replace('"content":', '"text":')),
  );
  await expect(importInto(chat, broken, { subdomain: 'half' })).rejects.toThrow('has no content');
  await expect(importInto(chat, whole, { subdomain: 'half' })).rejects.toThrow(
    'Another export is being imported into "half".',
  );
});

test('an import with another secret than that of the database is refused', async () => {
  await expect(
    importInto(chat, whole, { subdomain: 'secret', secrets: secretsOf('another secret') }),
  ).rejects.toThrow('BELLHOP_SECRET is not the secret');
  expect(await realmsNamed('secret')).toEqual([]);
});

test('an export is not written into a folder that has something else', async () => {
  await expect(exportOf(chat, whole)).rejects.toThrow('has a complete export already');
  await expect(exportOf(chat, folder.path)).rejects.toThrow('is not empty');
  const begun = join(folder.path, 'begun');
  const stop = new AbortController();
  await expect(
    exportOf(chat, begun, { signal: stop.signal, progress: () => stop.abort() }),
  ).rejects.toThrow();
  await expect(exportOf(chat, begun, { only: 'public' })).rejects.toThrow(
    'Another export was begun in',
  );
  await expect(
    exportOf(chat, join(folder.path, 'nobody'), { only: { email: 'nobody@chat.test' } }),
  ).rejects.toThrow('Nobody in the organization has the address nobody@chat.test.');
});

test('an archive is unpacked within its limits, without files outside of it and without links', async () => {
  const archive = join(folder.path, 'export.tar.gz');
  await create({ file: archive, gzip: true, cwd: folder.path }, ['whole']);
  let unpacked;
  {
    await using opened = await openExport(archive, 'realm.json');
    unpacked = opened.folder;
    expect(await readFile(join(unpacked, 'realm.json'), 'utf8')).toBe(
      await readFile(join(whole, 'realm.json'), 'utf8'),
    );
  }
  await expect(readFile(join(unpacked, 'realm.json'))).rejects.toThrow('ENOENT');
  const small = { maxBytes: 1000, maxFiles: 1000 };
  await expect(openExport(archive, 'realm.json', small)).rejects.toThrow(
    'unpacks to more than 0 MiB',
  );
  const few = { maxBytes: 1e9, maxFiles: 2 };
  await expect(openExport(archive, 'realm.json', few)).rejects.toThrow('or 2 files');

  const linked = await faulty((copy) => symlink('/etc/passwd', join(copy, 'passwd')));
  const withLink = join(folder.path, 'link.tar.gz');
  await create({ file: withLink, gzip: true, cwd: linked }, ['.']);
  await expect(openExport(withLink, 'realm.json')).rejects.toThrow('has a link, "./passwd"');

  const outside = join(folder.path, 'outside.tar.gz');
  await create({ file: outside, gzip: true, cwd: whole, prefix: '..', preservePaths: true }, [
    'realm.json',
  ]);
  await expect(openExport(outside, 'realm.json')).rejects.toThrow('which is outside of it');
});

test('a zip archive is unpacked within its limits, without files outside of it and without links', async () => {
  const archive = join(folder.path, 'export.zip');
  const good = [
    { name: 'Acme/', content: '' },
    { name: 'Acme/realm.json', content: '{}' },
    { name: 'Acme/uploads/1/a.txt', content: 'A file' },
  ];
  const open = async (...more: ZipEntry[]) => {
    await writeFile(archive, zipOf([...good, ...more]));
    return openExport(archive, 'realm.json');
  };
  {
    await using opened = await open();
    expect(await readFile(join(opened.folder, 'uploads/1/a.txt'), 'utf8')).toBe('A file');
  }
  for (const name of ['../outside.txt', '/etc/outside.txt', 'Acme/../../outside.txt'])
    await expect(open({ name, content: 'x' })).rejects.toThrow(/cannot be unpacked|outside of it/);
  await expect(open({ name: 'Acme/link', content: '/etc/passwd', mode: 0o120777 })).rejects.toThrow(
    'The archive has a link, "Acme/link". An export has none.',
  );
  await (await open())[Symbol.asyncDispose]();
  await expect(openExport(archive, 'realm.json', { maxBytes: 5, maxFiles: 10 })).rejects.toThrow(
    'unpacks to more than 0 MiB or 10 files',
  );
});

test('what is no export in a known form is refused', async () => {
  const empty = join(folder.path, 'empty');
  await mkdir(empty);
  await expect(openExport(empty, 'realm.json')).rejects.toThrow('There is no realm.json in it');
  const text = join(folder.path, 'text.txt');
  await writeFile(text, 'not an archive');
  await expect(openExport(text, 'realm.json')).rejects.toThrow(
    'is neither a folder nor a .zip or .tar.gz',
  );
  await writeFile(text, 'PK but no archive');
  await expect(openExport(text, 'realm.json')).rejects.toThrow('cannot be unpacked');
  await expect(openExport(join(folder.path, 'missing'), 'realm.json')).rejects.toThrow(
    'There is no',
  );
});

const realmsNamed = (subdomain: string) =>
  chat.server.app.db.kysely
    .selectFrom('realm')
    .select('id')
    .where('subdomain', '=', subdomain)
    .execute();
