import { createClient } from '@bellhop/client';
import { roles } from '@bellhop/protocol';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { imageOf } from '../../images/images.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const fileOf = (bytes: Uint8Array | string) =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], 'a.png');
const image = async (width: number, height: number) => fileOf(await imageOf('jpeg', width, height));

async function stateOf({ client }: Person) {
  const state = await client.queues.register({ fetch_event_types: ['realm'] });
  return Object.fromEntries(
    Object.entries(state).filter(([key]) => /^realm_(icon|logo|night_logo)_/.test(key)),
  );
}

/** The image at a URL of the chat. */
async function download(url: string) {
  const response = await fetch(url.replace('http://chat.test', chat.url));
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), bytes };
}

async function redirectOf(path: string) {
  const { email, api_key } = chat.people.polonius;
  const response = await fetch(`${chat.url}/api/v1${path}`, {
    headers: { authorization: `Basic ${btoa(`${email}:${api_key}`)}` },
    redirect: 'manual',
  });
  return { status: response.status, location: response.headers.get('location') };
}

const iconSvg = 'http://chat.test/api/icon.svg';

test('without uploads the icon and the logos are the default ones', async () => {
  expect(await stateOf(chat.people.hamlet)).toEqual({
    realm_icon_source: 'G',
    realm_icon_url: iconSvg,
    realm_logo_source: 'D',
    realm_logo_url: iconSvg,
    realm_night_logo_source: 'D',
    realm_night_logo_url: iconSvg,
  });
  expect((await redirectOf('/realm/icon')).location).toBe(iconSvg);
  expect((await redirectOf('/realm/logo')).location).toBe(iconSvg);
});

test('an uploaded icon becomes a PNG image of 100 x 100 pixels, and everybody learns its URL', async () => {
  const { iago, polonius } = chat.people;
  const queue = await listen(polonius, { event_types: ['realm'] });
  const { icon_url } = await iago.client.realmImages.setIcon({}, { file: await image(300, 90) });
  expect(icon_url).toBe(`http://chat.test/user_avatars/${chat.realm.id}/realm/icon.png?version=1`);
  expect(await queue.all()).toMatchObject([
    { op: 'update_dict', property: 'icon', data: { icon_url, icon_source: 'U' } },
  ]);
  expect(await stateOf(polonius)).toMatchObject({
    realm_icon_url: icon_url,
    realm_icon_source: 'U',
  });
  const shown = await download(icon_url);
  expect([shown.status, shown.type]).toEqual([200, 'image/png']);
  expect(await sharp(shown.bytes).metadata()).toMatchObject({ width: 100, height: 100 });
  expect(await redirectOf('/realm/icon')).toEqual({ status: 302, location: icon_url });
  const settings = await chat.ask(null, 'GET /server_settings');
  expect(settings.body['realm_icon']).toBe(icon_url);

  const again = await iago.client.realmImages.setIcon({}, { file: await image(10, 10) });
  expect(again.icon_url).toMatch(/version=2$/);
  expect(await iago.client.realmImages.removeIcon()).toMatchObject({ icon_url: iconSvg });
  expect((await download(icon_url)).status).toBe(404);
  expect(await queue.all()).toMatchObject([
    { data: { icon_url: again.icon_url } },
    { data: { icon_url: iconSvg, icon_source: 'G' } },
  ]);
  await iago.client.realmImages.removeIcon();
  expect(await queue.all()).toEqual([]);
  const third = await iago.client.realmImages.setIcon({}, { file: await image(10, 10) });
  expect(third.icon_url).toMatch(/version=3$/);
});

test('the logo and the logo for dark themes are changed separately, and keep their shape', async () => {
  const { iago, hamlet } = chat.people;
  const { setLogo, removeLogo } = iago.client.realmImages;
  const queue = await listen(hamlet, { event_types: ['realm'] });
  await setLogo({}, { file: await image(1600, 400) });
  await setLogo({ night: true }, { file: await image(40, 20) });
  const { realm_logo_url = '', realm_night_logo_url = '' } = await hamlet.client.queues.register({
    fetch_event_types: ['realm'],
  });
  const urls = { logo: realm_logo_url, night_logo: realm_night_logo_url };
  const url = (kind: keyof typeof urls) => urls[kind];
  for (const [kind, address] of Object.entries(urls))
    expect(address).toMatch(
      new RegExp(
        `^http://chat\\.test/user_avatars/${chat.realm.id}/realm/${kind}\\.png\\?version=\\d+$`,
      ),
    );
  expect(await queue.all()).toMatchObject([
    { property: 'logo', data: { logo_url: url('logo'), logo_source: 'U' } },
    {
      property: 'night_logo',
      data: { night_logo_url: url('night_logo'), night_logo_source: 'U' },
    },
  ]);
  const day = await sharp((await download(url('logo'))).bytes).metadata();
  expect(day).toMatchObject({ width: 400, height: 100 });
  const dark = await sharp((await download(url('night_logo'))).bytes).metadata();
  expect(dark).toMatchObject({ width: 40, height: 20 });
  expect((await redirectOf('/realm/logo?night=true')).location).toBe(url('night_logo'));
  await removeLogo({ night: true });
  expect(await stateOf(hamlet)).toMatchObject({
    realm_logo_source: 'U',
    realm_night_logo_source: 'D',
    realm_night_logo_url: iconSvg,
  });
  await removeLogo();
});

test.each(['icon', 'logo'])(
  'an %s that is missing, no image or larger than 5 MiB is refused',
  async (kind) => {
    const { iago } = chat.people;
    const { setIcon, setLogo } = iago.client.realmImages;
    const set = kind === 'icon' ? setIcon : setLogo;
    expect((await chat.ask(iago, `POST /realm/${kind}`)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: `You must upload exactly one ${kind}.`,
    });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    await expect(set({}, { file: fileOf(svg) })).rejects.toMatchObject({ code: 'BAD_IMAGE' });
    const large = Buffer.concat([await imageOf('png', 9, 9), Buffer.alloc(5 * 1_048_576)]);
    await expect(set({}, { file: fileOf(large) })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  },
);

test('only administrators change the icon and the logos', async () => {
  const refused = { code: 'UNAUTHORIZED_PRINCIPAL' };
  const file = await image(10, 10);
  for (const { client } of [chat.people.shiva, chat.people.hamlet, chat.people.polonius]) {
    await expect(client.realmImages.setIcon({}, { file })).rejects.toMatchObject(refused);
    await expect(client.realmImages.removeIcon()).rejects.toMatchObject(refused);
    await expect(client.realmImages.setLogo({}, { file })).rejects.toMatchObject(refused);
    await expect(client.realmImages.removeLogo()).rejects.toMatchObject(refused);
  }
  const admin = await chat.addPerson('ada', roles.admin);
  await admin.client.realmImages.setIcon({}, { file });
  await admin.client.realmImages.removeIcon();
});

test('an icon that one node stores is shown and served by another node', async () => {
  const { iago, hamlet } = chat.people;
  const other = await chat.anotherNode();
  const { email, api_key: apiKey } = hamlet;
  const { queues } = createClient({ url: other.url, email, apiKey });
  const { icon_url } = await iago.client.realmImages.setIcon({}, { file: await image(50, 50) });
  const shown = async () =>
    (await queues.register({ fetch_event_types: ['realm'] })).realm_icon_url;
  await expect.poll(shown).toBe(icon_url);
  const response = await fetch(icon_url.replace('http://chat.test', other.url));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
});
