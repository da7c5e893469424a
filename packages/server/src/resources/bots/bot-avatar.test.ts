import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { pngWithHeader } from '../../images/images.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { avatarImages, createWithFiles } from './bot-avatar.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const MIB = 1_048_576;
const { png, jpeg, gif, webp, avif } = avatarImages;
/** The path of an avatar's address, which has the public host name of the realm. */
const pathOf = (avatar_url: unknown) => String(avatar_url).replace('http://chat.test', '');
const fetchAvatar = (avatar_url: unknown, init: RequestInit = {}) =>
  fetch(`${chat.url}${pathOf(avatar_url)}`, init);
const mediumOf = (avatar_url: unknown) => String(avatar_url).replace('.png', '-medium.png');
/** Width and height, from the header of a PNG. */
const pngSize = (png: Uint8Array) => {
  const header = Buffer.from(png);
  return [header.readUInt32BE(16), header.readUInt32BE(20)];
};
const botNames = async ({ client }: Person) =>
  (await client.users.list()).members.map(({ full_name }) => full_name);

describe('a bot that is created with an image file', () => {
  test('has the image as its avatar in the answer, lists, events and messages', async () => {
    const { hamlet, cordelia } = chat.people;
    const events = await listen(cordelia, { event_types: ['realm_user'], client_gravatar: true });
    const managed = await listen(hamlet, { event_types: ['realm_bot'] });
    const { status, body } = await createWithFiles(chat, hamlet, { files: [png] });
    expect({ status, body }).toMatchObject({ status: 200, body: { result: 'success' } });
    expect(body).not.toHaveProperty('ignored_parameters_unsupported');
    const { user_id, avatar_url } = body;
    expect(avatar_url).toBe(
      `http://chat.test/user_avatars/${chat.realm.id}/${String(user_id)}.png?version=2`,
    );
    expect(await events.all()).toMatchObject([
      { person: { user_id, avatar_url, avatar_version: 2 } },
    ]);
    expect(await managed.all()).toMatchObject([{ bot: { user_id, avatar_url } }]);
    const { user } = await cordelia.client.users.get({ user_id: user_id as number });
    expect(user).toMatchObject({ avatar_url, avatar_version: 2 });

    const bot = { ...hamlet, email: user.email, api_key: String(body['api_key']) };
    const { body: state } = await chat.ask(bot, 'POST /register', {
      fetch_event_types: '["realm_user"]',
    });
    expect(state).toMatchObject({
      avatar_source: 'U',
      avatar_url,
      avatar_url_medium: mediumOf(avatar_url),
    });
    await chat.ask(bot, 'POST /messages', {
      type: 'direct',
      to: `[${cordelia.user.id}]`,
      content: 'hi',
    });
    const { messages } = await cordelia.client.messages.fetch({
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      client_gravatar: true,
    });
    expect(messages).toMatchObject([{ sender_id: user_id, avatar_url }]);
  });

  test.each([
    ['PNG', png],
    ['JPEG', jpeg],
    ['GIF', gif],
    ['WebP', webp],
    ['AVIF', avif],
  ])('has a %s served as a small and a medium PNG square, without a login', async (_, image) => {
    const named = new File([image], 'x.html', { type: 'text/html' });
    const { body } = await createWithFiles(chat, chat.people.hamlet, { files: [named] });
    const response = await fetchAvatar(body['avatar_url']);
    expect(response.status).toBe(200);
    expect(pngSize(await response.bytes())).toEqual([100, 100]);
    const medium = await fetchAvatar(mediumOf(body['avatar_url']));
    expect(pngSize(await medium.bytes())).toEqual([500, 500]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^inline; filename="avatar-\d+\.png"/),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    const etag = response.headers.get('etag') ?? '';
    const again = await fetchAvatar(body['avatar_url'], { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  test('loses the stored image when its row is deleted', async () => {
    const { body } = await createWithFiles(chat, chat.people.hamlet, { files: [gif] });
    const { kysely } = chat.server.app.db;
    const id = body['user_id'] as typeof chat.people.hamlet.user.id;
    await kysely.deleteFrom('realm_user').where('id', '=', id).execute();
    expect((await fetchAvatar(body['avatar_url'])).status).toBe(404);
  });
});

test.each([
  ['an SVG', [new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'a.svg')], 'BAD_IMAGE'],
  [
    'a page with the name and type of a PNG',
    [new File(['<html>'], 'a.png', { type: 'image/png' })],
    'BAD_IMAGE',
  ],
  ['an empty file', [new File([], 'a.png')], 'BAD_IMAGE'],
  [
    'an image of more than 5 MiB',
    [new File([png, new Uint8Array(5 * MIB)], 'a.png')],
    'BAD_REQUEST',
  ],
  ['a PNG that is cut off', [new File([png.slice(0, 60)], 'a.png')], 'BAD_IMAGE'],
  [
    'a PNG whose header promises 3.6 billion pixels',
    [new File([new Uint8Array(pngWithHeader(60_000, 60_000))], 'a.png')],
    'BAD_IMAGE',
  ],
  ['an image of 8 MiB', [new File([png, new Uint8Array(8 * MIB)], 'a.png')], 'BAD_REQUEST'],
  ['two images', [png, gif], 'BAD_REQUEST'],
])('POST /bots with %s is refused and creates no bot', async (title, files, code) => {
  const { hamlet } = chat.people;
  const answer = await createWithFiles(chat, hamlet, { files, full_name: title });
  expect(answer).toMatchObject({ status: 400, body: { code } });
  expect(await botNames(hamlet)).not.toContain(title);
});

test('an image of exactly 5 MiB is accepted', async () => {
  const { hamlet } = chat.people;
  const size = 5 * MIB - png.size;
  const files = [new File([png, new Uint8Array(size)], 'a.png')];
  const { body } = await createWithFiles(chat, hamlet, { files });
  const response = await fetchAvatar(body['avatar_url']);
  expect(pngSize(await response.bytes())).toEqual([100, 100]);
});

test('a multipart form without a file, or with none chosen, creates a bot with a Gravatar', async () => {
  const { hamlet } = chat.people;
  for (const files of [[], [new File([], '')]]) {
    const { body } = await createWithFiles(chat, hamlet, { files });
    expect(body).toMatchObject({ avatar_url: expect.stringContaining('gravatar') });
  }
});

test('a form with a file from a client without a login is refused with 401', async () => {
  const answer = await createWithFiles(chat, null, { files: [png] });
  expect(answer).toMatchObject({ status: 401 });
});

test.each([
  [
    'of a user without an uploaded image',
    () => `${chat.realm.id}/${chat.people.hamlet.user.id}.png`,
  ],
  ['of another realm', () => `${chat.realm.id + 1}/1.png`],
  ['with a number that no ID has', () => `${chat.realm.id}/99999999999999999999.png`],
  ['with further parts', () => `${chat.realm.id}/1/2.png`],
  ['of a size that does not exist', () => `${chat.realm.id}/1-large.png`],
  ['with an invalid percent-encoding', () => '%zz/%00'],
])('an avatar address %s is not found', async (_, path) => {
  expect((await fetchAvatar(`/user_avatars/${path()}`)).status).toBe(404);
});
