import { createClient } from '@bellhop/client';
import { MAX_LINKING_MESSAGES, TEMPORARY_SECONDS, UNCLAIMED_DAYS } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { attachUploads, detachUploads } from '../messages/attach-uploads.ts';
import { listen } from '../queues/listen.fixture.ts';
import { sweep } from './sweep-uploads.ts';
import { download, storedCounts, upload } from './uploads.fixture.ts';

let chat: TestChat;
let now = 1_800_000_000;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
  const { iago, hamlet, cordelia, polonius } = chat.people;
  const channel = (name: string, people: Person[], invite_only: boolean) =>
    iago.client.subscriptions.add({
      subscriptions: [{ name }],
      principals: people.map(({ user }) => user.id),
      invite_only,
    });
  await channel('verona', [iago, hamlet, polonius], false);
  await channel('council', [iago, hamlet, polonius], true);
  await channel('elsewhere', [iago, cordelia], true);
});
afterAll(() => chat[Symbol.asyncDispose]());

const sendToChannel = async ({ client }: Person, to: string, content: string) =>
  (await client.messages.send({ type: 'channel', to, topic: 't', content })).id;
const sendDirect = async ({ client }: Person, other: Person, content: string) =>
  (await client.messages.send({ type: 'direct', to: [other.user.id], content })).id;
const downloadStatuses = (url: string, ...people: (Person | null)[]) =>
  Promise.all(people.map(async (person) => (await download(chat, person, url)).status));

/** Returns a function that returns the new attachment events of a user. */
const listenToAttachments = async (person: Person) =>
  (await listen(person, { event_types: ['attachment'] })).all;
const attachmentAt = async ({ client }: Person, url: string) => {
  const { attachments } = await client.attachments.list();
  return attachments.find(({ path_id }) => `/user_uploads/${path_id}` === url);
};
const hasAttachment = async ({ client }: Person, id: number) => {
  const { messages } = await client.messages.fetch({
    anchor: String(id),
    num_before: 0,
    num_after: 0,
    narrow: [{ operator: 'has', operand: 'attachment' }],
  });
  return messages.some((message) => message.id === id);
};

test('only the owner can download a file until a message links it, then every reader of that message', async () => {
  const { hamlet, iago, cordelia, polonius, desdemona } = chat.people;
  const url = await upload(hamlet);
  expect(await downloadStatuses(url, hamlet, iago, desdemona, null)).toEqual([200, 404, 404, 401]);
  await sendToChannel(hamlet, 'council', `see [notes](${url})`);
  expect(await downloadStatuses(url, hamlet, iago, polonius, cordelia, desdemona)).toEqual([
    200, 200, 200, 404, 404,
  ]);
  await sendDirect(hamlet, cordelia, `http://chat.test${url}`);
  expect(await downloadStatuses(url, cordelia, desdemona)).toEqual([200, 404]);
  const open = await upload(hamlet);
  await sendToChannel(hamlet, 'verona', `[notes](${open})`);
  expect(await downloadStatuses(open, desdemona, cordelia, polonius)).toEqual([200, 200, 200]);
});

test('a link attaches a file only if the sender may download it', async () => {
  const { hamlet, iago, cordelia } = chat.people;
  const url = await upload(hamlet);
  const unreadable = await sendToChannel(cordelia, 'elsewhere', `[notes](${url})`);
  expect(await downloadStatuses(url, cordelia)).toEqual([404]);
  expect(await hasAttachment(cordelia, unreadable)).toBe(false);
  await sendToChannel(hamlet, 'council', `[notes](${url})`);
  const forwarded = await sendToChannel(iago, 'elsewhere', `[notes](${url})`);
  expect(await downloadStatuses(url, cordelia)).toEqual([200]);
  expect(await hasAttachment(cordelia, forwarded)).toBe(true);
});

test('a link to an unknown upload attaches nothing', async () => {
  const { hamlet } = chat.people;
  const url = await upload(hamlet);
  const [, , realm, token] = url.split('/');
  for (const path of [
    `${realm}/${token}/other.txt`,
    `${Number(realm) + 1}/${token}/notes.txt`,
    `${realm}/${token}`,
    `${realm}/nothing/notes.txt`,
    '%',
  ])
    expect(
      await hasAttachment(
        hamlet,
        await sendToChannel(hamlet, 'verona', `[x](/user_uploads/${path})`),
      ),
      path,
    ).toBe(false);
  expect(await attachmentAt(hamlet, url)).toMatchObject({ messages: [] });
});

test('the owner lists their files and gets an event for each change', async () => {
  const { shiva, iago } = chat.people;
  await iago.client.subscriptions.add({
    subscriptions: [{ name: 'council' }],
    principals: [shiva.user.id],
  });
  const events = await listenToAttachments(shiva);
  const others = await listenToAttachments(iago);
  const url = await upload(shiva, 'hello', 'a.txt');
  const attachment = {
    id: expect.any(Number) as number,
    name: 'a.txt',
    path_id: url.replace('/user_uploads/', ''),
    size: 5,
    create_time: now,
    messages: [] as { id: number; date_sent: number }[],
    message_ids: [] as number[],
  };
  const upload_space_used = (await shiva.client.attachments.list()).upload_space_used;
  expect(await events()).toMatchObject([
    { type: 'attachment', op: 'add', attachment, upload_space_used },
  ]);
  const message = await sendToChannel(shiva, 'council', `[a](${url}) [again](${url})`);
  attachment.messages.push({ id: message, date_sent: now });
  attachment.message_ids.push(message);
  expect(await events()).toMatchObject([{ op: 'update', attachment, upload_space_used }]);
  const second = await sendToChannel(iago, 'council', `[a](${url})`);
  attachment.messages.push({ id: second, date_sent: now });
  attachment.message_ids.push(second);
  expect(await events()).toMatchObject([{ op: 'update', attachment }]);
  expect((await shiva.client.attachments.list()).attachments).toEqual([attachment]);
  const { id } = (await attachmentAt(shiva, url)) ?? { id: 0 };
  await expect(iago.client.attachments.remove({ attachment_id: id })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'Invalid attachment',
  });
  expect(await hasAttachment(shiva, message)).toBe(true);
  await shiva.client.attachments.remove({ attachment_id: id });
  expect(await events()).toMatchObject([
    { op: 'remove', attachment: { id }, upload_space_used: upload_space_used - 5 },
  ]);
  expect(await others()).toEqual([]);
  expect(await downloadStatuses(url, shiva, iago)).toEqual([404, 404]);
  expect(await hasAttachment(shiva, message)).toBe(false);
  await expect(shiva.client.attachments.remove({ attachment_id: id })).rejects.toThrow('Invalid');
});

test('an edit attaches and detaches files, a deletion detaches them', async () => {
  const { hamlet } = chat.people;
  const { app } = chat.server;
  const [one, two] = [await upload(hamlet), await upload(hamlet)];
  const pathOf = (url: string) => url.replace('/user_uploads/', '');
  const id = await sendToChannel(hamlet, 'verona', `[x](${one})`);
  const editLinks = (...urls: string[]) =>
    app.change(chat.realm, (call) =>
      attachUploads(call, {
        realm: chat.realm,
        user: hamlet.user,
        message: { id, sent_at: now },
        paths: urls.map(pathOf),
        now,
      }),
    );
  const { detached, has_attachment } = await editLinks(two);
  expect(has_attachment).toBe(true);
  expect(detached).toMatchObject([{ path_id: pathOf(one), messages: [] }]);
  expect(await attachmentAt(hamlet, two)).toMatchObject({ messages: [{ id }] });
  const attached = { has_attachment: true, previews: new Map() };
  expect(await editLinks(one, two)).toEqual({ ...attached, detached: [] });
  expect(await editLinks(one, two)).toEqual({ ...attached, detached: [] });
  const other = await sendToChannel(hamlet, 'verona', `[x](${one})`);
  expect(await editLinks()).toMatchObject({
    has_attachment: false,
    detached: [{ path_id: pathOf(two) }],
  });
  expect(await attachmentAt(hamlet, one)).toMatchObject({ messages: [{ id: other }] });
  const events = await listenToAttachments(hamlet);
  await app.change(chat.realm, (call) =>
    detachUploads(call, { realm: chat.realm, messages: [other, id], now }),
  );
  expect(await attachmentAt(hamlet, one)).toMatchObject({ messages: [] });
  expect(await events()).toMatchObject([{ op: 'update', attachment: { messages: [] } }]);
});

test('a file is deleted when no message has linked it for UNCLAIMED_DAYS', async () => {
  await using other = await startTestChat({ now: () => now });
  const { hamlet } = other.people;
  const { app } = other.server;
  const advanceDays = (count: number) => {
    now += count * 86_400;
  };
  const url = await upload(hamlet);
  const linked = await upload(hamlet);
  const { id } = await hamlet.client.messages.send({
    type: 'direct',
    to: [hamlet.user.id],
    content: `[x](${linked})`,
  });
  advanceDays(UNCLAIMED_DAYS);
  expect(await sweep(app)).toBe(0);
  now += 1;
  const events = await listenToAttachments(hamlet);
  expect(await sweep(app)).toBe(1);
  expect(await events()).toMatchObject([{ op: 'remove' }]);
  expect((await download(other, hamlet, url)).status).toBe(404);
  expect((await download(other, hamlet, linked)).status).toBe(200);
  await app.change(other.realm, (call) =>
    detachUploads(call, { realm: other.realm, messages: [id], now }),
  );
  advanceDays(UNCLAIMED_DAYS);
  expect(await sweep(app)).toBe(0);
  now += 1;
  expect(await sweep(app)).toBe(1);
  expect(await storedCounts(other)).toEqual({ files: 0, chunks: 0 });
});

test('an incomplete upload cannot be downloaded and is deleted after two hours', async () => {
  await using other = await startTestChat({ now: () => now });
  const { hamlet } = other.people;
  const { app } = other.server;
  await upload(hamlet);
  await app.db.kysely.updateTable('upload').set({ is_complete: false }).execute();
  expect((await hamlet.client.attachments.list()).attachments).toEqual([]);
  now += 7200;
  expect(await sweep(app)).toBe(0);
  now += 1;
  expect(await sweep(app)).toBe(1);
});

test('a temporary address works without a login for a minute on every node', async () => {
  const { hamlet, cordelia } = chat.people;
  const url = await upload(hamlet, 'a secret', 'ä.txt');
  const [, , realm_id = '', token = '', filename = ''] = url.split('/');
  const address = { realm_id, token, filename };
  await expect(cordelia.client.uploads.temporaryUrl(address)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    status: 404,
  });
  const temporary = (await hamlet.client.uploads.temporaryUrl(address)).url;
  const node = await chat.anotherNode();
  expect(await (await download(node, null, temporary)).text()).toBe('a secret');
  const other = await upload(hamlet, 'another');
  const [id] = /\d+/.exec(temporary.split('/')[3] ?? '') ?? [];
  const { id: otherId = 0 } = (await attachmentAt(hamlet, other)) ?? {};
  for (const forged of [
    temporary.replace(`/${id}.`, `/${otherId}.`),
    temporary.replace(/\.(\d+)\./, (_all, expires: string) => `.${Number(expires) + 60}.`),
    temporary.replace(/\.[\w-]+\/[^/]*$/, `.${'A'.repeat(43)}/x`),
  ])
    expect((await download(chat, null, forged)).status, forged).toBe(404);
  now += TEMPORARY_SECONDS - 1;
  expect((await download(chat, null, temporary)).status).toBe(200);
  now += 1;
  expect((await download(chat, null, temporary)).status).toBe(404);
});

test.each([
  '/user_uploads/',
  '/user_uploads/1',
  '/user_uploads/1/x/y/z',
  '/user_uploads/%zz/a/b',
  '/user_uploads/1/..%2f..%2fetc/passwd',
  '/user_uploads/temporary',
  '/user_uploads/temporary/1.2.3/x',
])('%s returns 404', async (path) => {
  const answer = await download(chat, chat.people.hamlet, path);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ result: 'error', code: 'NOT_FOUND' });
});

test('a download with a wrong API key returns 401, and with another method 405', async () => {
  const { hamlet } = chat.people;
  const url = await upload(hamlet);
  const wrong = { ...hamlet, api_key: 'A'.repeat(32) };
  expect((await download(chat, wrong, url)).status).toBe(401);
  const posted = await fetch(`${chat.url}${url}`, { method: 'POST', body: 'x' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('a bot can upload and attach files', async () => {
  const { hamlet } = chat.people;
  const { api_key } = await hamlet.client.bots.create({ full_name: 'Up', short_name: 'up' });
  const email = 'up-bot@chat.test';
  const client = createClient({ url: chat.url, email, apiKey: api_key });
  const url = await upload({ client });
  expect(await downloadStatuses(url, hamlet)).toEqual([404]);
  const to = [hamlet.user.id];
  await client.messages.send({ type: 'direct', to, content: `[x](${url})` });
  expect(await downloadStatuses(url, hamlet)).toEqual([200]);
});

test('editing or deleting a message by the typed client detaches the files it no longer links', async () => {
  const { hamlet, iago } = chat.people;
  const [one, two] = [await upload(hamlet), await upload(hamlet)];
  const message_id = await sendToChannel(hamlet, 'council', `[x](${one})`);
  const { detached_uploads } = await hamlet.client.messages.edit({
    message_id,
    content: `[y](${two})`,
  });
  expect(detached_uploads).toMatchObject([{ path_id: one.replace('/user_uploads/', '') }]);
  expect(await downloadStatuses(one, iago)).toEqual([404]);
  expect(await downloadStatuses(two, iago)).toEqual([200]);
  await hamlet.client.messages.edit({ message_id, content: 'nothing' });
  expect(await hasAttachment(hamlet, message_id)).toBe(false);
  await hamlet.client.messages.edit({ message_id, content: `[x](${one})` });
  expect(await hasAttachment(hamlet, message_id)).toBe(true);
  await iago.client.messages.remove({ message_id });
  expect(await attachmentAt(hamlet, one)).toMatchObject({ messages: [] });
});

test('a file that 50,000 messages link delays neither another one nor the list of files', async () => {
  const { hamlet } = chat.people;
  const url = await upload(hamlet);
  await sendToChannel(hamlet, 'verona', `[notes](${url})`);
  const db = chat.server.app.db.kysely;
  await sql`insert into upload_message (realm_id, upload_id, message_id)
    select realm_id, upload_id, 1000000 + i from generate_series(1, 50000) i, (
      select realm_id, upload_id from upload_message order by message_id desc limit 1) l`.execute(
    db,
  );
  const allEvents = await listenToAttachments(hamlet);
  const before = process.cpuUsage();
  const id = await sendToChannel(hamlet, 'verona', `[notes](${url})`);
  const shown = await attachmentAt(hamlet, url);
  const { user } = process.cpuUsage(before);
  expect(user / 1e6).toBeLessThan(2);
  expect(shown?.messages).toHaveLength(MAX_LINKING_MESSAGES);
  expect(shown?.messages.at(-1)?.id).toBe(1_050_000);
  const links = shown?.messages.map((link) => expect.objectContaining({ id: link.id }) as object);
  expect(await allEvents()).toMatchObject([{ op: 'update', attachment: { messages: links } }]);
  await hamlet.client.attachments.remove({ attachment_id: shown?.id ?? 0 });
  expect(await hasAttachment(hamlet, id)).toBe(false);
});
