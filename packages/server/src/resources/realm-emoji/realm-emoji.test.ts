import { createClient } from '@bellhop/client';
import type { RealmEmoji } from '@bellhop/protocol';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { refusedWith } from '../../expect-refused.fixture.ts';
import { animationOf, imageOf } from '../../images/images.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
let png: Buffer;
beforeAll(async () => {
  chat = await startTestChat();
  png = await imageOf('png', 200, 100);
});
afterAll(() => chat[Symbol.asyncDispose]());

let count = 0;
const next = () => `custom-${++count}`;
const fileOf = (bytes: Uint8Array | string, name = 'a.png') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name);

const upload = ({ client }: Person, emoji_name: string, file = fileOf(png)) =>
  client.realmEmoji.upload({ emoji_name }, { file });
const remove = ({ client }: Person, emoji_name: string) => client.realmEmoji.remove({ emoji_name });

/** The newest custom emoji with this name. */
async function named(name: string): Promise<RealmEmoji> {
  const { emoji } = await chat.people.hamlet.client.realmEmoji.list();
  const found = Object.values(emoji).findLast((one) => one.name === name);
  if (!found) throw new Error(`no emoji ${name}`);
  return found;
}

async function uploaded(person = chat.people.hamlet, file = fileOf(png)): Promise<RealmEmoji> {
  const name = next();
  await upload(person, name, file);
  return named(name);
}

async function download(path: string) {
  const response = await fetch(chat.url + path);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), bytes };
}

describe('POST /realm/emoji/{emoji_name}', () => {
  test('everybody learns the new emoji, by event and in GET /realm/emoji', async () => {
    const { hamlet, polonius } = chat.people;
    const queue = await listen(polonius, { event_types: ['realm_emoji'] });
    const emoji = await uploaded(hamlet);
    const { id } = emoji;
    expect(emoji).toEqual({
      id,
      name: emoji.name,
      source_url: `/user_avatars/${chat.realm.id}/emoji/images/${id}.png`,
      still_url: null,
      deactivated: false,
      author_id: hamlet.user.id,
    });
    const all = await polonius.client.realmEmoji.list();
    expect(await queue.all()).toMatchObject([{ op: 'update', realm_emoji: all.emoji }]);
    const { realm_emoji } = await polonius.client.queues.register({
      fetch_event_types: ['realm_emoji'],
    });
    expect(realm_emoji?.[id]).toEqual(emoji);
  });

  test.each(['png', 'jpeg', 'gif', 'webp'] as const)(
    'a %s file becomes a PNG image of 64 x 64 pixels that needs no login',
    async (format) => {
      const bytes = await imageOf(format, 120, 40);
      const { source_url } = await uploaded(chat.people.hamlet, fileOf(bytes, 'x.svg'));
      const image = await download(source_url);
      expect([image.status, image.type]).toEqual([200, 'image/png']);
      expect(await sharp(image.bytes).metadata()).toMatchObject({ width: 64, height: 64 });
    },
  );

  test.each(['gif', 'webp'] as const)(
    'an animated %s file stays animated, and has a still image',
    async (format) => {
      const bytes = await animationOf(format, { width: 100, height: 80, frames: 3 });
      const { source_url, still_url } = await uploaded(chat.people.hamlet, fileOf(bytes));
      const moving = await download(source_url);
      expect(moving.type).toBe(`image/${format}`);
      expect(await sharp(moving.bytes, { pages: -1 }).metadata()).toMatchObject({
        width: 64,
        pageHeight: 64,
        pages: 3,
      });
      expect(still_url).toMatch(/\/emoji\/images\/still\/\d+\.png$/);
      const still = await download(still_url ?? '');
      expect(still.type).toBe('image/png');
      expect(await sharp(still.bytes).metadata()).toMatchObject({ width: 64, height: 64 });
    },
  );

  test.each([
    ['text', 'hello'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['a PNG signature alone', '\u0089PNG\r\n\u001a\n'],
  ])('%s in a file called a.png is refused', async (_, content) => {
    const file = fileOf(Buffer.from(content, 'latin1'));
    await expect(upload(chat.people.hamlet, next(), file)).rejects.toMatchObject({
      code: 'BAD_IMAGE',
    });
  });

  test('a request without a file and a file of more than 5 MiB are refused', async () => {
    const { hamlet } = chat.people;
    const { status, body } = await chat.ask(hamlet, `POST /realm/emoji/${next()}`);
    expect([status, body]).toMatchObject([400, refusalBody('You must upload exactly one file.')]);
    const large = fileOf(Buffer.concat([png, Buffer.alloc(5 * 1_048_576)]));
    await expect(upload(hamlet, next(), large)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  const refusalBody = (msg: string) => ({ code: 'BAD_REQUEST', msg });

  test('a space in the name becomes an underscore', async () => {
    await upload(chat.people.hamlet, 'party parrot 2');
    expect(await named('party_parrot_2')).toMatchObject({ deactivated: false });
  });

  test.each([
    ['Upper', 'Emoji names have only lower-case'],
    ['dot.ted', 'Emoji names have only lower-case'],
    ['umläut', 'Emoji names have only lower-case'],
    ['<b>', 'Emoji names have only lower-case'],
    ['ends_', 'Emoji names end with'],
    ['ends-', 'Emoji names end with'],
    [' ', 'Emoji name is missing'],
    ['x'.repeat(101), ''],
  ])('the name %j is refused', async (name, text) => {
    await expect(upload(chat.people.hamlet, name)).rejects.toMatchObject(
      refusedWith(new RegExp(text)),
    );
  });

  test('a name that an active custom emoji has is refused until that one is deactivated', async () => {
    const { hamlet, iago } = chat.people;
    const { name, id } = await uploaded(hamlet);
    await expect(upload(iago, name)).rejects.toMatchObject(
      refusedWith('A custom emoji with this name already exists.'),
    );
    await remove(iago, name);
    await upload(iago, name);
    expect((await named(name)).id).not.toBe(id);
  });

  test('of two uploads with one name at the same time, one is refused', async () => {
    const name = next();
    const results = await Promise.allSettled([
      upload(chat.people.hamlet, name),
      upload(chat.people.cordelia, name),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('only administrators give a custom emoji the name of a built-in one', async () => {
    const { hamlet, shiva, iago } = chat.people;
    for (const person of [hamlet, shiva])
      for (const name of ['octopus', 'zulip'])
        await expect(upload(person, name)).rejects.toMatchObject(
          refusedWith('Only administrators can override default emoji.'),
        );
    await upload(iago, 'octopus');
    expect(await named('octopus')).toMatchObject({ author_id: iago.user.id });
  });

  test('guests, bots and users outside can_add_custom_emoji_group are refused', async () => {
    const { polonius, hamlet, shiva, desdemona } = chat.people;
    await expect(upload(polonius, next())).rejects.toMatchObject(
      refusedWith('Not allowed for guest users'),
    );
    const { id } = await chat.server.app.db.kysely
      .selectFrom('user_group')
      .select('id')
      .where('name', '=', 'role:moderators')
      .executeTakeFirstOrThrow();
    const bot = await hamlet.client.bots.create({ full_name: 'Painter', short_name: 'painter' });
    const paint = createClient({
      url: chat.url,
      email: 'painter-bot@chat.test',
      apiKey: bot.api_key,
    }).realmEmoji;
    const file = fileOf(png);
    await expect(paint.upload({ emoji_name: next() }, { file })).rejects.toMatchObject(
      refusedWith('This endpoint does not accept bot requests.'),
    );
    const former = chat.realm.group_settings.can_add_custom_emoji_group;
    const { update } = desdemona.client.realms;
    await update({ can_add_custom_emoji_group: { new: id } });
    await expect(upload(hamlet, next())).rejects.toMatchObject(
      refusedWith('Insufficient permission'),
    );
    await upload(shiva, next());
    await update({ can_add_custom_emoji_group: { new: former } });
    await upload(hamlet, next());
  });
});

describe('DELETE /realm/emoji/{emoji_name}', () => {
  test('the author and administrators deactivate an emoji, others do not', async () => {
    const { hamlet, cordelia, shiva, iago, polonius } = chat.people;
    const first = await uploaded(hamlet);
    for (const person of [cordelia, shiva])
      await expect(remove(person, first.name)).rejects.toMatchObject(
        refusedWith('Must be an organization administrator or emoji author'),
      );
    await expect(remove(polonius, first.name)).rejects.toMatchObject(
      refusedWith('Not allowed for guest users'),
    );
    const queue = await listen(cordelia, { event_types: ['realm_emoji'] });
    await remove(hamlet, first.name);
    expect(await named(first.name)).toMatchObject({ id: first.id, deactivated: true });
    expect(await queue.all()).toMatchObject([
      { realm_emoji: { [first.id]: { deactivated: true } } },
    ]);
    const second = await uploaded(hamlet);
    await remove(iago, second.name);
    expect(await named(second.name)).toMatchObject({ deactivated: true });
  });

  test('an unknown and a deactivated emoji are answered 404', async () => {
    const { iago, hamlet } = chat.people;
    const { name } = await uploaded(hamlet);
    await remove(hamlet, name);
    for (const missing of [name, 'no_such_emoji', 'tada'])
      await expect(remove(iago, missing)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        status: 404,
        message: `Emoji '${missing}' does not exist`,
      });
  });

  test('the image of a deactivated emoji is still served', async () => {
    const { name, source_url } = await uploaded();
    await remove(chat.people.hamlet, name);
    expect((await download(source_url)).status).toBe(200);
  });
});

test('paths of no custom emoji are answered 404', async () => {
  const { source_url } = await uploaded();
  for (const path of [
    source_url.replace('.png', '.gif'),
    source_url.replace('images/', 'images/still/'),
    source_url.replace(/\d+\.png/, '999999.png'),
    source_url.replace(/\/\d+\//, '/999/'),
  ])
    expect((await download(path)).status, path).toBe(404);
});

describe('a message', () => {
  async function sent(content: string, { client, user }: Person = chat.people.hamlet) {
    const { id } = await client.messages.send({ type: 'direct', to: [user.id], content });
    const { message } = await client.messages.fetchOne({ message_id: id });
    return { id, content: message.content };
  }
  const image = ({ name, source_url }: Pick<RealmEmoji, 'name' | 'source_url'>) =>
    `<img alt=":${name}:" class="emoji" src="${source_url}" title="${name.replaceAll('_', ' ')}">`;

  test('shows a custom emoji, and still shows it after it is deactivated', async () => {
    const emoji = await uploaded();
    const { id, content } = await sent(`well :${emoji.name}:!`);
    expect(content).toBe(`<p>well ${image(emoji)}!</p>`);
    await remove(chat.people.hamlet, emoji.name);
    const { message } = await chat.people.hamlet.client.messages.fetchOne({ message_id: id });
    expect(message.content).toBe(content);
    expect((await sent(`:${emoji.name}:`)).content).toBe(`<p>:${emoji.name}:</p>`);
  });

  test('shows a custom emoji in place of the Unicode emoji of the same name', async () => {
    const { iago } = chat.people;
    await upload(iago, 'dolphin');
    expect((await sent(':dolphin:')).content).toBe(`<p>${image(await named('dolphin'))}</p>`);
    await remove(iago, 'dolphin');
    expect((await sent(':dolphin:')).content).toContain('emoji-1f42c');
  });

  test('shows the extra emoji of the public clients', async () => {
    const source_url = '/static/generated/emoji/images/emoji/unicode/zulip.png';
    expect((await sent(':zulip:')).content).toBe(`<p>${image({ name: 'zulip', source_url })}</p>`);
    const picture = await download(source_url);
    expect([picture.status, picture.type]).toEqual([200, 'image/png']);
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ width: 64, height: 64 });
  });
});

describe('a reaction with a custom emoji', () => {
  async function message() {
    const { client, user } = chat.people.hamlet;
    const to = [user.id, chat.people.cordelia.user.id];
    const { id } = await client.messages.send({ type: 'direct', to, content: 'x' });
    return id;
  }
  const reactionsTo = async (message_id: Awaited<ReturnType<typeof message>>) =>
    (await chat.people.hamlet.client.messages.fetchOne({ message_id })).message.reactions;

  test('is added by name alone, or with the code, and removed by either', async () => {
    const { reactions } = chat.people.hamlet.client;
    const { name: emoji_name, id: emoji_code } = await uploaded();
    const message_id = await message();
    const reaction_type = 'realm_emoji' as const;
    const requests = [
      { emoji_name },
      { emoji_name, emoji_code },
      { emoji_name, emoji_code, reaction_type },
      { emoji_name, reaction_type },
    ];
    for (const request of requests) {
      await reactions.add({ message_id, ...request });
      expect(await reactionsTo(message_id)).toMatchObject([
        { emoji_name, emoji_code, reaction_type, user_id: chat.people.hamlet.user.id },
      ]);
      await reactions.remove({ message_id, ...request });
      expect(await reactionsTo(message_id)).toEqual([]);
    }
    await reactions.add({ message_id, emoji_name });
    await reactions.remove({ message_id, emoji_code, reaction_type });
    expect(await reactionsTo(message_id)).toEqual([]);
  });

  test('stays after its deactivation, may be joined and removed, and is refused on other messages', async () => {
    const { hamlet, cordelia } = chat.people;
    const { name: emoji_name, id: emoji_code } = await uploaded();
    const emoji = { emoji_name, emoji_code, reaction_type: 'realm_emoji' as const };
    const message_id = await message();
    await hamlet.client.reactions.add({ message_id, ...emoji });
    await remove(hamlet, emoji_name);
    await cordelia.client.reactions.add({ message_id, ...emoji });
    expect(await reactionsTo(message_id)).toHaveLength(2);
    await hamlet.client.reactions.remove({ message_id, ...emoji });
    expect(await reactionsTo(message_id)).toMatchObject([{ user_id: cordelia.user.id }]);
    const other = await message();
    await expect(
      hamlet.client.reactions.add({ message_id: other, ...emoji }),
    ).rejects.toMatchObject(refusedWith('This custom emoji has been deactivated.'));
    await expect(
      hamlet.client.reactions.add({ message_id: other, emoji_name }),
    ).rejects.toMatchObject(refusedWith(`Emoji '${emoji_name}' does not exist`));
  });

  test('of another name or an unknown code is refused', async () => {
    const { reactions } = chat.people.hamlet.client;
    const { name: emoji_name, id: emoji_code } = await uploaded();
    const message_id = await message();
    const reaction_type = 'realm_emoji' as const;
    const add = (emoji: object) =>
      reactions.add({ message_id, emoji_name, reaction_type, ...emoji });
    await expect(add({ emoji_code, emoji_name: 'tada' })).rejects.toMatchObject(
      refusedWith('Invalid custom emoji name.'),
    );
    for (const code of ['999999', '0', `0${emoji_code}`, '1f389', '9'.repeat(30)])
      await expect(add({ emoji_code: code })).rejects.toMatchObject(
        refusedWith('Invalid custom emoji.'),
      );
  });

  test('with the name of a Unicode emoji: the name means the custom one, the Unicode code the other', async () => {
    const { iago, hamlet } = chat.people;
    await upload(iago, 'penguin');
    const { id } = await named('penguin');
    const message_id = await message();
    const emoji_name = 'penguin';
    await hamlet.client.reactions.add({ message_id, emoji_name });
    await hamlet.client.reactions.add({ message_id, emoji_name, emoji_code: '1f427' });
    expect(await reactionsTo(message_id)).toMatchObject([
      { emoji_code: id, reaction_type: 'realm_emoji' },
      { emoji_code: '1f427', reaction_type: 'unicode_emoji' },
    ]);
    await remove(iago, 'penguin');
  });
});

test('a status shows a custom emoji; a deactivated one is refused', async () => {
  const { hamlet } = chat.people;
  const { name: emoji_name, id: emoji_code } = await uploaded();
  await hamlet.client.userStatus.set({ emoji_name });
  const { status } = await hamlet.client.userStatus.get({ user_id: hamlet.user.id });
  expect(status).toEqual({ emoji_name, emoji_code, reaction_type: 'realm_emoji' });
  await remove(hamlet, emoji_name);
  await expect(
    hamlet.client.userStatus.set({ emoji_name, emoji_code, reaction_type: 'realm_emoji' }),
  ).rejects.toMatchObject(refusedWith('This custom emoji has been deactivated.'));
});
