import type { Api, FetchedMessage, ResultOf } from '@bellhop/protocol';
import { afterEach, expect, test } from 'vitest';

import {
  type Answers,
  answeredAccount,
  type Params,
  refusal,
} from '../live/answered-account.fixture.ts';
import { openFeed } from './feed.ts';
import { message, messageEvent } from './message.fixture.ts';
import type { View } from './view.ts';

type Page = ResultOf<Api['messages']['fetch']>;
const topic: View = { kind: 'topic', channel: 5, topic: 'news' };
let stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
});

/** The page of a list of messages around an anchor, as the server makes it. */
function pageOf(all: readonly FetchedMessage[], params: Params): Page {
  const firstUnread = all.find(({ flags }) => !flags.includes('read'))?.id ?? Infinity;
  const anchors: Record<string, number> = { newest: Infinity, first_unread: firstUnread };
  const asked = params['anchor']?.replaceAll('"', '') ?? '';
  const anchor = anchors[asked] ?? Number(asked);
  const isIncluded = params['include_anchor'] !== 'false';
  const before = all.filter(({ id }) => id < anchor);
  const after = all.filter(({ id }) => id > anchor || (isIncluded && id === anchor));
  const first = before.slice(Math.max(0, before.length - Number(params['num_before'])));
  const last = after.slice(0, Number(params['num_after']) + (isIncluded ? 1 : 0));
  return {
    messages: [...first, ...last],
    found_anchor: all.some(({ id }) => id === anchor),
    found_oldest: first.length === before.length,
    found_newest: last.length === after.length,
    history_limited: false,
  };
}

const numbered = (count: number, changes?: (id: number) => object) =>
  Array.from({ length: count }, (_, at) => message(at + 1, changes?.(at + 1)));

/** A feed of stored messages. `hold` makes answers wait until it resolves. */
async function openedFeed(stored: FetchedMessage[], view = topic, near?: number) {
  const hold = { until: Promise.resolve() };
  const answers: Answers = {
    // A page is that of the time of the call.
    'GET /messages': async (params) => {
      const page = pageOf(stored, params);
      await hold.until;
      return page;
    },
  };
  const server = await answeredAccount(answers);
  const feed = openFeed(server.account, view, near);
  stops.push(feed.stop, server.account.stop);
  await expect.poll(() => feed.isLoading.value).toBe(false);
  const ids = () => feed.messages.value.map(({ id }) => id as number);
  return { ...server, feed, hold, ids };
}

test('a feed opens at the first unread message, with a hundred on each side', async () => {
  const stored = numbered(400, (id) => ({ flags: id < 200 ? ['read'] : [] }));
  const { feed, ids } = await openedFeed(stored);
  expect([ids()[0], ids().at(-1)]).toEqual([100, 300]);
  expect(feed.firstUnread.value).toBe(200);
  expect(feed.isComplete.value).toEqual({ oldest: false, newest: false });
});

test('older and newer pages follow without a gap or a repeat until there are no more', async () => {
  const { feed, ids } = await openedFeed(numbered(350), topic, 120);
  expect([ids()[0], ids().at(-1)]).toEqual([20, 220]);
  await feed.loadOlder();
  await feed.loadOlder();
  await feed.loadNewer();
  await feed.loadNewer();
  await feed.loadNewer();
  expect(ids()).toEqual(numbered(350).map(({ id }) => id));
  expect(feed.isComplete.value).toEqual({ oldest: true, newest: true });
});

test('a new message of the view is added once, and one of another topic is not', async () => {
  const server = await openedFeed(numbered(2));
  await server.happens(
    messageEvent(3),
    messageEvent(4, { subject: 'other' }),
    messageEvent(3),
    messageEvent(5, { subject: 'NEWS', flags: [] }),
  );
  expect(server.ids()).toEqual([1, 2, 3, 5]);
  expect(server.feed.messages.value.at(-1)?.flags).toEqual([]);
});

test('while newer messages remain, a new one comes with its page', async () => {
  const stored = numbered(300);
  const server = await openedFeed(stored, topic, 100);
  stored.push(message(301));
  await server.happens(messageEvent(301));
  expect(server.ids().at(-1)).toBe(200);
  await server.feed.loadNewer();
  await server.feed.loadNewer();
  expect(server.ids().slice(-2)).toEqual([300, 301]);
});

test('a message and a flag that come during a fetch are not lost', async () => {
  const stored = numbered(3);
  const server = await openedFeed(stored);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.hold.until = promise;
  server.feed.refresh();
  await server.happens(messageEvent(4), {
    type: 'update_message_flags',
    op: 'add',
    operation: 'add',
    flag: 'starred',
    messages: [2],
    all: false,
  });
  resolve();
  await expect.poll(() => server.feed.isLoading.value).toBe(false);
  expect(server.ids()).toEqual([1, 2, 3, 4]);
  expect(server.feed.messages.value[1]?.flags).toEqual(['read', 'starred']);
});

test('after a new registration the messages are fetched again', async () => {
  const stored = numbered(2);
  const server = await openedFeed(stored);
  stored.push(message(3));
  await server.registersAgain();
  await expect.poll(server.ids).toEqual([1, 2, 3]);
});

test('an error stays beside the messages that are there, and retry fetches the page', async () => {
  const server = await openedFeed(numbered(250), topic, 249);
  const { feed, answers, ids } = server;
  const known = ids();
  const answer = answers['GET /messages'];
  answers['GET /messages'] = () => refusal('BAD_NARROW');
  await feed.loadOlder();
  expect(feed.error.value).toMatchObject({ code: 'BAD_NARROW' });
  expect(ids()).toEqual(known);
  if (answer) answers['GET /messages'] = answer;
  feed.retry();
  await expect.poll(() => ids()[0]).toBe(49);
  expect(feed.error.value).toBeUndefined();
});

test('starred messages are fetched again when a star is set or removed', async () => {
  const stored = [message(1, { flags: ['read', 'starred'] })];
  const server = await openedFeed(stored, { kind: 'starred' });
  stored.push(message(2, { flags: ['read', 'starred'] }));
  await server.happens({
    type: 'update_message_flags',
    op: 'add',
    operation: 'add',
    flag: 'starred',
    messages: [2],
    all: false,
  });
  await expect.poll(server.ids).toEqual([1, 2]);
});

test('whether a message belongs to a search, the server decides', async () => {
  const server = await openedFeed([], { kind: 'search', text: 'red fox' });
  server.answers['GET /messages/matches_narrow'] = ({ msg_ids = '' }) => ({
    messages: msg_ids === '[8]' ? { 8: { match_content: 'red fox', match_subject: '' } } : {},
  });
  await server.happens(messageEvent(7), messageEvent(8));
  await expect.poll(server.ids).toEqual([8]);
});
