import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { animationOf, imageOf, pngWithHeader } from '../../images/images.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen, type TestQueue } from '../queues/listen.fixture.ts';
import { makeThumbnails } from './make-thumbnails.ts';
import { download, upload } from './uploads.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  // A job that needs two connections at once fails.
  chat = await startTestChat({ maxConnections: 1 });
  const { iago, hamlet, cordelia } = chat.people;
  await iago.client.subscriptions.add({
    subscriptions: [{ name: 'gallery' }],
    principals: [hamlet.user.id, cordelia.user.id],
    invite_only: true,
  });
});
afterAll(() => chat[Symbol.asyncDispose]());

const db = () => chat.server.app.db.kysely;
const bytesOf = async (image: Promise<Buffer>) => new Uint8Array(await image);
const tokenOf = (url: string) => url.split('/')[3] ?? '';
const stored = (url: string) =>
  db().selectFrom('upload').selectAll().where('token', '=', tokenOf(url)).executeTakeFirst();
const previewOf = (url: string, name: string, image: string) =>
  `<p><a href="${url}">${name}</a></p>\n<div class="message_inline_image"><a href="${url}" title="${name}"><img ${image}></a></div>`;
const loading = 'class="image-loading-placeholder" src="/api/image-loading.svg"';
const shownAs = (url: string, dimensions: string) =>
  `data-original-content-type="image/png" data-original-dimensions="${dimensions}" src="${thumbnailAt(url)}"`;
const thumbnailAt = (url: string, format = '840x560.webp') =>
  `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`;

/** Uploads an image and waits until its thumbnails are made or given up. */
async function uploadImage(
  person: Person,
  content: Uint8Array<ArrayBuffer>,
  name = 'photo.png',
): Promise<string> {
  const url = await upload(person, content, name);
  await vi.waitFor(
    async () => expect((await stored(url))?.image_state).not.toBe('pending'),
    20_000,
  );
  return url;
}

/** Takes the thumbnails away, as if the job had not run yet. */
async function waitAgain(url: string): Promise<void> {
  const row = await stored(url);
  await db()
    .deleteFrom('thumbnail')
    .where('upload_id', '=', row?.id ?? 0)
    .execute();
  await db()
    .updateTable('upload')
    .set({ image_state: 'pending' })
    .where('token', '=', tokenOf(url))
    .execute();
}

async function startJob(url: string): Promise<void> {
  const row = await stored(url);
  if (!row) throw new Error('no file');
  const payload = { realm_id: row.realm_id, upload_id: row.id };
  await chat.server.app.change(chat.realm, ({ enqueue }) => enqueue(makeThumbnails, payload));
}

const send = async ({ client }: Person, content: string) =>
  (await client.messages.send({ type: 'channel', to: 'gallery', topic: 't', content })).id;
const shown = async ({ client }: Person, message_id: Awaited<ReturnType<typeof send>>) =>
  (await client.messages.fetchOne({ message_id, apply_markdown: true })).message;
const nextUpdate = async (queue: TestQueue) =>
  vi.waitFor(async () => {
    const [event] = await queue.events('update_message');
    if (!event) throw new Error('no update_message event');
    return event;
  }, 20_000);

describe('a message that links an uploaded image', () => {
  test('shows its thumbnail with the dimensions of the original', async () => {
    const { hamlet, cordelia } = chat.people;
    const url = await uploadImage(hamlet, await bytesOf(imageOf('png', 1200, 900)));
    const id = await send(hamlet, `[photo](${url})`);
    const { content } = await shown(cordelia, id);
    expect(content).toBe(previewOf(url, 'photo', shownAs(url, '1200x900')));
  });

  test('shows a loading image at first, and readers get the thumbnail by a rendering_only event', async () => {
    const { hamlet, cordelia } = chat.people;
    const url = await uploadImage(hamlet, await bytesOf(imageOf('png', 90, 60)));
    await waitAgain(url);
    const id = await send(hamlet, `@**Cordelia** [photo](${url})`);
    expect((await shown(cordelia, id)).content).toContain(loading);
    const queue = await listen(cordelia, { event_types: ['update_message'] });
    await startJob(url);
    const { stream_id } = await shown(cordelia, id);
    const event = await nextUpdate(queue);
    expect(event).toMatchObject({
      user_id: null,
      rendering_only: true,
      message_id: id,
      message_ids: [id],
      flags: ['mentioned'],
      stream_id,
      content: `@**Cordelia** [photo](${url})`,
      rendered_content: expect.stringContaining(shownAs(url, '90x60')) as unknown,
    });
    expect(event).not.toHaveProperty('orig_content');
    const message = await shown(cordelia, id);
    expect(message.content).toBe(event['rendered_content']);
    expect(message).not.toHaveProperty('edit_history');
    expect(message).not.toHaveProperty('last_edit_timestamp');
  });

  test('shows thumbnails after an edit, in POST /messages/render and when it is scheduled', async () => {
    const { hamlet } = chat.people;
    const url = await uploadImage(hamlet, await bytesOf(imageOf('png', 30, 20)));
    const content = `[photo](${url})`;
    const html = previewOf(url, 'photo', shownAs(url, '30x20'));
    const message_id = await send(hamlet, 'nothing yet');
    await hamlet.client.messages.edit({ message_id, content });
    expect((await shown(hamlet, message_id)).content).toBe(html);
    expect((await hamlet.client.messages.render({ content })).rendered).toBe(html);
    await hamlet.client.scheduledMessages.add({
      type: 'direct',
      to: [hamlet.user.id],
      content,
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3600,
    });
    const { scheduled_messages } = await hamlet.client.scheduledMessages.list();
    expect(scheduled_messages).toMatchObject([{ rendered_content: html }]);
  });

  test('of another user shows no preview until the sender may download it', async () => {
    const { hamlet, cordelia } = chat.people;
    const url = await uploadImage(hamlet, await bytesOf(imageOf('png', 30, 20)));
    const content = `[photo](${url})`;
    expect((await shown(hamlet, await send(cordelia, content))).content).not.toContain('<img');
    await send(hamlet, content);
    expect((await shown(hamlet, await send(cordelia, content))).content).toContain('<img');
  });

  test('shows an animation as one, and has both forms', async () => {
    const { hamlet } = chat.people;
    const gif = await bytesOf(animationOf('gif', { width: 40, height: 30, frames: 3 }));
    const url = await uploadImage(hamlet, gif, 'dance.gif');
    const { content } = await shown(hamlet, await send(hamlet, `[dance](${url})`));
    expect(content).toContain(
      `<img data-animated="true" data-original-content-type="image/gif" data-original-dimensions="40x30" src="${thumbnailAt(url, '840x560-anim.webp')}">`,
    );
    for (const format of ['840x560-anim.webp', '840x560.webp'])
      expect((await download(chat, hamlet, thumbnailAt(url, format))).status).toBe(200);
  });
});

describe('a file that is no image', () => {
  test.each([
    ['text', new TextEncoder().encode('text')],
    ['an SVG', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a page after the first byte of a PNG', new TextEncoder().encode('\x89<script>')],
  ])('such as %s with the name of an image has no preview', async (_, content) => {
    const { hamlet } = chat.people;
    const url = await uploadImage(hamlet, content);
    const id = await send(hamlet, `[photo](${url})`);
    expect((await shown(hamlet, id)).content).toBe(`<p><a href="${url}">photo</a></p>`);
  });

  test.each([
    ['a PNG that is cut off', async () => (await bytesOf(imageOf('png', 800, 800))).slice(0, 300)],
    ['a PNG of 3.6 billion pixels', async () => new Uint8Array(pngWithHeader(60_000, 60_000))],
  ])('such as %s loses its preview by an event, and keeps its link', async (_, content) => {
    const { hamlet } = chat.people;
    const url = await uploadImage(hamlet, await content());
    await waitAgain(url);
    const id = await send(hamlet, `[photo](${url})`);
    expect((await shown(hamlet, id)).content).toContain(loading);
    const queue = await listen(hamlet, { event_types: ['update_message'] });
    await startJob(url);
    expect(await nextUpdate(queue)).toMatchObject({
      rendering_only: true,
      rendered_content: `<p><a href="${url}">photo</a></p>`,
    });
    expect((await download(chat, hamlet, url)).status).toBe(200);
  });

  test('a file whose thumbnail job fails in its last attempt loses its preview', async () => {
    const { hamlet } = chat.people;
    const url = await uploadImage(hamlet, await bytesOf(imageOf('png', 30, 20)));
    await waitAgain(url);
    const id = await send(hamlet, `[photo](${url})`);
    const row = await stored(url);
    if (!row) throw new Error('no file');
    const payload = { realm_id: row.realm_id, upload_id: row.id };
    const { app } = chat.server;
    await app.db.transaction(async (tx) =>
      makeThumbnails.onDead?.(tx, { jobId: '1', payload, reason: 'time-outs' }, app),
    );
    expect((await shown(hamlet, id)).content).not.toContain('<img');
  });
});

describe('a thumbnail', () => {
  test('is served by every node to those who may download its file, as a small WebP', async () => {
    const { hamlet, cordelia, desdemona } = chat.people;
    const url = await uploadImage(hamlet, await bytesOf(imageOf('png', 1200, 900)));
    await send(hamlet, `[photo](${url})`);
    const path = thumbnailAt(url);
    const node = await chat.anotherNode();
    const response = await download(node, cordelia, path);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
    });
    const file = { bytes: await response.bytes(), person: 'somebody' };
    const { source } = await chat.server.app.images.resize(file, []);
    expect(source).toMatchObject({ type: 'image/webp', width: 747, height: 560 });
    expect((await download(chat, desdemona, path)).status).toBe(404);
    expect((await download(chat, null, path)).status).toBe(401);
    for (const wrong of [thumbnailAt(url, '100x100.webp'), `${path}/more`, thumbnailAt(url, '')])
      expect((await download(chat, hamlet, wrong)).status, wrong).toBe(404);
  });

  test('is deleted with its file', async () => {
    const { hamlet } = chat.people;
    const url = await uploadImage(hamlet, await bytesOf(imageOf('png', 30, 20)));
    const row = await stored(url);
    await hamlet.client.attachments.remove({ attachment_id: row?.id ?? 0 });
    const left = await db()
      .selectFrom('thumbnail')
      .select('format')
      .where('upload_id', '=', row?.id ?? 0)
      .execute();
    expect(left).toEqual([]);
  });
});

test('POST /register names the formats of thumbnails', async () => {
  const { server_thumbnail_formats } = await chat.people.hamlet.client.queues.register({
    fetch_event_types: ['realm'],
  });
  expect(server_thumbnail_formats).toEqual([
    { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
    { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
  ]);
});
