import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../test-chat.fixture.ts';
import { fillRealm } from './filled-realm.fixture.ts';
import {
  answersFor,
  clientOf,
  exportOf,
  importInto,
  moveIn,
  temporaryFolder,
  thumbnailsOf,
} from './move.fixture.ts';

test('an export and an import that are interrupted again and again bring everything once', async () => {
  await using chat = await startTestChat();
  await fillRealm(chat);
  await thumbnailsOf(chat);
  const { hamlet } = chat.people;
  await using folder = await temporaryFolder();
  const whole = join(folder.path, 'whole');
  await exportOf(chat, whole);
  const parts = join(folder.path, 'parts');
  const exports = await untilDone((signal, progress) =>
    exportOf(chat, parts, { signal, progress }),
  );
  expect(exports).toBeGreaterThan(1);
  for (const name of [
    'realm.json',
    'messages-000001.json',
    'attachment.json',
    'uploads/records.json',
  ])
    expect(await readFile(join(parts, name), 'utf8')).toBe(
      await readFile(join(whole, name), 'utf8'),
    );

  const before = await answersFor(chat, await clientOf(chat, hamlet.email));
  const imports = await untilDone((signal, progress) =>
    importInto(chat, parts, { signal, progress }),
  );
  expect(imports).toBeGreaterThan(10);
  await moveIn(chat);
  await thumbnailsOf(chat);
  expect(await answersFor(chat, await clientOf(chat, hamlet.email))).toEqual(before);
  const left = await sql<{ left: number }>`select count(*) as left from imported_id`.execute(
    chat.server.app.db.kysely,
  );
  expect(left.rows).toEqual([{ left: 0 }]);
});

test('an import that fails in the middle of a file continues without a message twice', async () => {
  await using chat = await startTestChat();
  await writeMany(chat, { count: 600, words: 3 });
  await using folder = await temporaryFolder();
  const out = join(folder.path, 'export');
  await exportOf(chat, out);
  const file = join(out, 'messages-000001.json');
  const text = await readFile(file, 'utf8');
  // The first 500 are stored before the fault. Of the same length: it is the same export.
  const at = text.lastIndexOf('"content"');
  await writeFile(file, `${text.slice(0, at)}"contenT"${text.slice(at + 9)}`);
  for (let runs = 0; runs < 2; runs += 1)
    await expect(importInto(chat, out)).rejects.toThrow(
      /^Message \d+ of the export has no content\.$/,
    );
  await writeFile(file, text);
  expect((await importInto(chat, out)).counts['messages']).toBe(600);
  await moveIn(chat);
  const moved = await clientOf(chat, chat.people.cordelia.email);
  const { messages } = await moved.client.messages.fetch({
    anchor: 'oldest',
    num_before: 0,
    num_after: 1000,
    apply_markdown: false,
  });
  expect(messages.map(({ content }) => content.split(' ')[0])).toEqual(
    Array.from({ length: 600 }, (_none, number) => String(number)),
  );
});

test('an export and an import keep no more than a part of an organization in memory', async () => {
  await using chat = await startTestChat();
  await writeMany(chat, { count: 10_000, words: 400 });
  await using folder = await temporaryFolder();
  const out = join(folder.path, 'export');
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  let most = 0;
  let calls = 0;
  const progress = () => {
    calls += 1;
    most = Math.max(most, heap() - before);
  };
  await exportOf(chat, out, { progress });
  const files = (await readdir(out)).filter((name) => name.startsWith('messages-'));
  expect(files.length).toBe(10);
  let size = 0;
  for (const name of files) size += (await stat(join(out, name))).size;
  expect(size).toBeGreaterThan(40_000_000);
  const { counts } = await importInto(chat, out, { progress });
  expect(counts['messages']).toBe(10_000);
  expect(calls).toBeGreaterThan(40);
  expect(most).toBeLessThan(20_000_000);
}, 120_000);

/** Writes direct messages of Hamlet to Cordelia into the database, numbered in their first word. */
async function writeMany(
  chat: TestChat,
  { count, words }: { count: number; words: number },
): Promise<void> {
  const { hamlet, cordelia } = chat.people;
  const { id } = await hamlet.client.messages.send({
    type: 'direct',
    to: [cordelia.user.id],
    content: 'first',
  });
  const { kysely } = chat.server.app.db;
  const realm = chat.realm.id;
  await sql`insert into message (realm_id, sender_id, recipient_id, content, rendered_content, sent_at, client)
    select realm_id, sender_id, recipient_id, n || repeat(' word', ${words}),
      '<p>' || n || repeat(' word', ${words}) || '</p>', sent_at, client
    from message, generate_series(0, ${count - 1}) n where realm_id = ${realm} and id = ${id}`.execute(
    kysely,
  );
  await sql`insert into user_message (realm_id, user_id, message_id, flags)
    select m.realm_id, u.id, m.id, 1 from message m, unnest(${[hamlet.user.id, cordelia.user.id]}::bigint[]) u (id)
    where m.realm_id = ${realm} and m.id > ${id}`.execute(kysely);
  await sql`delete from user_message where realm_id = ${realm} and message_id = ${id}`.execute(
    kysely,
  );
  await sql`delete from message where realm_id = ${realm} and id = ${id}`.execute(kysely);
}

test('an organization that is being imported lets nobody in until all is there', async () => {
  await using chat = await startTestChat();
  await chat.people.hamlet.client.messages.send({
    type: 'direct',
    to: [chat.people.iago.user.id],
    content: 'hi',
  });
  await using folder = await temporaryFolder();
  const out = join(folder.path, 'export');
  await exportOf(chat, out);
  const stop = new AbortController();
  await expect(
    importInto(chat, out, {
      signal: stop.signal,
      progress: ({ what }) =>
        what === 'avatars' || what === 'subscriptions and conversations' ? stop.abort() : undefined,
    }),
  ).rejects.toThrow();
  await moveIn(chat);
  const { email } = chat.people.hamlet;
  const answer = await chat.ask((await clientOf(chat, email)) as never, 'GET /users/me');
  expect(answer.body['code']).toBe('REALM_DEACTIVATED');
});

/** Runs work that stops after each piece, until it ends. Returns how often it ran. */
async function untilDone(
  run: (signal: AbortSignal, progress: () => void) => Promise<unknown>,
): Promise<number> {
  for (let runs = 1; runs < 200; runs += 1) {
    const stop = new AbortController();
    // After the first piece that is not only looked at.
    let pieces = 0;
    try {
      await run(stop.signal, () => {
        pieces += 1;
        if (pieces > 1) stop.abort();
      });
      return runs;
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  }
  throw new Error('It does not come to an end');
}
