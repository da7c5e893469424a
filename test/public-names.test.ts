import { startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat({ env: { BELLHOP_PUBLIC_CLIENTS: 'okhttp, Java-http-client' } });
});
afterAll(() => chat[Symbol.asyncDispose]());

type Fields = Readonly<Record<string, string>>;
type Answer = Readonly<Record<string, unknown>>;

/** Calls the API as Hamlet, whose program sends these headers. */
async function ask(headers: Fields, route: string, fields: Fields = {}): Promise<Answer> {
  const { email, api_key } = chat.people.hamlet;
  const [method = '', path = ''] = route.split(' ');
  const form = new URLSearchParams(fields);
  const response = await fetch(
    `${chat.url}/api/v1${path}${method === 'GET' ? `?${form.toString()}` : ''}`,
    {
      method,
      headers: { authorization: `Basic ${btoa(`${email}:${api_key}`)}`, ...headers },
      ...(method === 'GET' ? {} : { body: form }),
    },
  );
  const answer = (await response.json()) as Answer;
  expect(answer).toMatchObject({ result: 'success' });
  return answer;
}

/** A direct message of Iago to Hamlet that Iago has reacted to with the extra emoji. */
async function messageWithEmoji(): Promise<number> {
  const { iago, hamlet } = chat.people;
  const to = [hamlet.user.id];
  const { id: message_id } = await iago.client.messages.send({ type: 'direct', to, content: 'hi' });
  await iago.client.reactions.add({ message_id, emoji_name: 'zulip' });
  return message_id;
}

async function setStatus(emoji_name: string): Promise<void> {
  await chat.people.iago.client.userStatus.set({ emoji_name });
}
async function setEmojisets(emojiset: 'vendor_a' | 'vendor_b' | 'vendor_a-blob'): Promise<void> {
  await chat.people.hamlet.client.settings.update({ emojiset });
  await chat.people.iago.client.settings.updateRealmDefaults({ emojiset });
}

const NAMES = /"((?:svc|zulip)_extra_emoji|vendor_[ab](?:-blob)?|google(?:-blob)?|twitter)"/g;
/** Every name in an answer, in its order. */
const namesIn = (answer: unknown) =>
  [...JSON.stringify(answer).matchAll(NAMES)].map(([, name]) => name);

/** The names that a program with these headers reads, by where it reads them. */
async function namesReadBy(headers: Fields) {
  const iago = chat.people.iago.user.id;
  await setStatus('zulip');
  await setEmojisets('vendor_b');
  const id = await messageWithEmoji();
  const modern = JSON.stringify({ user_settings_object: true });
  const state = await ask(headers, 'POST /register', { client_capabilities: modern });
  const legacy = await ask(headers, 'POST /register');
  const other = await messageWithEmoji();
  await chat.people.iago.client.reactions.remove({
    message_id: other as never,
    emoji_name: 'zulip',
  });
  await setStatus('car');
  await setStatus('zulip');
  await setEmojisets('vendor_a-blob');
  await setEmojisets('vendor_a');
  const eventsOf = async ({ queue_id, last_event_id }: Answer) => {
    const { events } = await ask(headers, 'GET /events', {
      queue_id: String(queue_id),
      last_event_id: String(last_event_id),
      dont_block: 'true',
    });
    const all = (events as (Answer & { type: string })[]).map(
      (event) => [event.type, namesIn(event)] as const,
    );
    return all.filter(([, names]) => names.length > 0);
  };
  const range = { anchor: String(id), num_before: '0', num_after: '0' };
  return {
    page: namesIn(await ask(headers, 'GET /messages', range)),
    message: namesIn(await ask(headers, `GET /messages/${id}`)),
    status: namesIn(await ask(headers, `GET /users/${iago}/status`)),
    state: [state['user_status'], state['user_settings']].map(namesIn),
    defaults: namesIn(state['realm_user_settings_defaults']),
    legacyState: [legacy['emojiset'], legacy['emojiset_choices']].map(namesIn),
    events: await eventsOf(state),
    legacyEvents: await eventsOf(legacy),
  };
}

const expected = (emoji: string, [a, b, blob]: readonly [string, string, string]) => {
  const settings = ['user_settings', 'realm_user_settings_defaults'];
  const common = [
    ['reaction', [emoji]],
    ['reaction', [emoji]],
    ['user_status', [emoji]],
  ];
  return {
    page: [emoji],
    message: [emoji],
    status: [emoji],
    state: [[emoji], [b, a, b, blob]],
    defaults: [b, a, b, blob],
    legacyState: [[b], [a, b, blob]],
    events: [...common, ...[blob, a].flatMap((set) => settings.map((type) => [type, [set]]))],
    legacyEvents: [
      ...common,
      ...[blob, a].flatMap((set) => [
        ['user_settings', [set]],
        ['update_display_settings', [set]],
        ['realm_user_settings_defaults', [set]],
      ]),
    ],
  };
};

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36';

test.each([
  'ZulipFlutter/30.0.274+274 (Android 14)',
  'ZulipFlutter/30.0.274+274 (iOS 17.4)',
  'ZulipMobile/27.233 (Android 14)',
  'ZulipTerminal/0.7.0 Linux-6.8.0-x86_64-with-glibc2.39 (Ubuntu; 24.04)',
  'ZulipPython/0.9.0 (Ubuntu; 24.04)',
  `ZulipElectron/5.11.1 ${CHROME.replace('Chrome', 'Zulip/5.11.1 Chrome')}`,
  'go-zulip/1.0.0 (Ubuntu; 24.04)',
  // Named by the operator.
  'okhttp/4.12.0',
  'java-http-client/21.0.4',
])('a public client reads public names: %s', async (userAgent) => {
  expect(await namesReadBy({ 'user-agent': userAgent })).toEqual(
    expected('zulip_extra_emoji', ['google', 'twitter', 'google-blob']),
  );
});

test('the queue of a public client keeps its names, whoever polls it', async () => {
  const public_ = { 'user-agent': 'ZulipFlutter/30.0.274+274 (Android 14)' };
  const other = { 'user-agent': 'MyClient/1.0' };
  for (const [registers, polls, reaction_type] of [
    [public_, other, 'zulip_extra_emoji'],
    [other, public_, 'svc_extra_emoji'],
  ] as const) {
    const { queue_id, last_event_id } = await ask(registers, 'POST /register', {
      event_types: '["reaction"]',
    });
    await messageWithEmoji();
    const place = { queue_id: String(queue_id), last_event_id: String(last_event_id) };
    expect(await ask(polls, 'GET /events', place)).toMatchObject({ events: [{ reaction_type }] });
  }
});

test('the console reads the names of the specification in ZulipElectron as well', async () => {
  const password = 'a long password 7';
  const { email } = await chat.addPerson('ophelia', undefined, { password });
  const electron = { 'user-agent': 'ZulipElectron/5.11.1 Mozilla/5.0', 'bellhop-console': 'none' };
  const signIn = await fetch(`${chat.url}/api/v1/console/session`, {
    method: 'POST',
    headers: electron,
    body: new URLSearchParams({ username: email, password }),
  });
  const { console_key } = (await signIn.json()) as Answer;
  const cookie = signIn.headers.getSetCookie().join().replace(/;.*/, '');
  const asConsole = { ...electron, cookie, 'bellhop-console': String(console_key) };
  const settings = { fetch_event_types: '["user_settings"]' };
  const register = async (headers: Fields) => {
    const body = new URLSearchParams(settings);
    const response = await fetch(`${chat.url}/api/v1/register`, { method: 'POST', headers, body });
    return response.json();
  };
  expect(await register(asConsole)).toMatchObject({ user_settings: { emojiset: 'vendor_a' } });
});

test.each([
  '',
  'node',
  'curl/8.5.0',
  'python-requests/2.32.3',
  // zulip-js under Node, which reads no closed set.
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  CHROME,
  'MyClient/1.0 (made for Zulip)',
  'BellhopBot/0.1',
  'BellhopClient/0.1',
])('any other client reads the names of the specification: "%s"', async (userAgent) => {
  expect(await namesReadBy({ 'user-agent': userAgent })).toEqual(
    expected('svc_extra_emoji', ['vendor_a', 'vendor_b', 'vendor_a-blob']),
  );
});
