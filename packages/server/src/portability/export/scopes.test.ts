import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { startTestChat } from '../../test-chat.fixture.ts';
import { fillRealm } from '../filled-realm.fixture.ts';
import type { FormRecord } from '../form.ts';
import {
  answersFor,
  clientOf,
  exportOf,
  importInto,
  moveIn,
  temporaryFolder,
} from '../move.fixture.ts';

/** All records of an export by table, and all of its text. */
async function readExport(folder: string) {
  const tables = new Map<string, readonly FormRecord[]>();
  let text = '';
  const files: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const content = await readFile(join(entry.parentPath, entry.name), 'utf8');
    text += content;
    files.push(entry.name);
    if (!/^(?:realm|attachment|messages-\d+)\.json$/.test(entry.name)) continue;
    for (const [name, records] of Object.entries(
      JSON.parse(content) as Record<string, FormRecord[]>,
    ))
      tables.set(name, [...(tables.get(name) ?? []), ...records]);
  }
  const of = (name: string) => tables.get(name) ?? [];
  return { of, text, files };
}

test('an export of what is public has no private channel, conversation, setting, flag or hidden address', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  await fillRealm(chat);
  await chat.ask(cordelia, 'PATCH /settings', { email_address_visibility: '5' });
  await using folder = await temporaryFolder();
  const out = join(folder.path, 'public');
  await exportOf(chat, out, { only: 'public' });
  const { of, text, files } = await readExport(out);

  expect(of('zerver_stream').map(({ name }) => name)).toEqual(['Ramparts', 'Ruins']);
  expect(of('zerver_message').map(({ subject }) => subject)).not.toContain('louder whispers');
  expect(of('zerver_message').every((message) => message['is_channel_message'])).toBe(true);
  expect(of('zerver_recipient').every(({ type }) => type === 2)).toBe(true);
  for (const secret of [
    'arras',
    'Nymph',
    'remembrances',
    'To be"',
    'Closet',
    'whispers',
    cordelia.email,
    '+45',
    'damned spot',
    'Murder',
    'Copenhagen',
    '4999',
  ])
    expect(text).not.toContain(secret);
  expect(text).toContain(hamlet.email);
  for (const table of [
    'usermessage',
    'alertword',
    'usertopic',
    'muteduser',
    'userstatus',
    'draft',
    'savedsnippet',
    'customprofilefieldvalue',
    'service',
    'botstoragedata',
    'realmdomain',
  ])
    expect([table, of(`zerver_${table}`)]).toEqual([table, []]);
  // Files of public messages only.
  expect(files).toContain('words.txt');
  expect(of('zerver_reaction').length).toBe(2);
  expect(of('zerver_message').every(({ edit_history }) => edit_history === null)).toBe(true);

  await importInto(chat, out);
  await moveIn(chat);
  const ghost = `user${cordelia.user.id}@hidden.invalid`;
  const { messages } = (await answersFor(chat, await clientOf(chat, ghost))) as {
    messages: readonly { content: string }[];
  };
  expect(messages.every(({ content }) => typeof content === 'string')).toBe(true);
});

test('an export of one person has their profile, messages, conversations and files, and nothing of others', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia, iago } = chat.people;
  await fillRealm(chat);
  await using folder = await temporaryFolder();
  const out = join(folder.path, 'hamlet');
  await exportOf(chat, out, { only: { email: hamlet.email } });
  const { of, text, files } = await readExport(out);
  const his = hamlet.user.id;

  const contents = of('zerver_message').map(({ content }) => String(content));
  expect(contents.some((content) => content.startsWith('Angels and ministers!'))).toBe(true);
  expect(contents).toContain('Nymph, in thy orisons');
  expect(contents).toContain('My lord, I have remembrances');
  expect(contents).toContain('To be');
  // What others wrote in channels is theirs.
  expect(text).not.toContain('flower.png)');
  expect(text).not.toContain('arras');
  expect(files).toContain('words.txt');
  expect(files).not.toContain('flower.png');
  for (const table of [
    'usermessage',
    'alertword',
    'usertopic',
    'userstatus',
    'draft',
    'savedsnippet',
    'customprofilefieldvalue',
  ]) {
    const records = of(`zerver_${table}`);
    expect([table, records.length > 0]).toEqual([table, true]);
    expect([table, records.every(({ user_profile }) => user_profile === his)]).toEqual([
      table,
      true,
    ]);
  }
  const own = of('zerver_userprofile').find(({ id }) => id === his);
  expect(own).toMatchObject({ delivery_email: hamlet.email, twenty_four_hour_time: true });
  const others = of('zerver_userprofile').filter(({ id }) => id !== his);
  expect(others.map(({ full_name }) => full_name)).toEqual(['Iago', 'Cordelia of France']);
  for (const { email } of [cordelia, iago]) expect(text).not.toContain(email);
  expect(others.every((record) => !('twenty_four_hour_time' in record))).toBe(true);
  expect(of('zerver_muteduser')).toEqual([]);
});
