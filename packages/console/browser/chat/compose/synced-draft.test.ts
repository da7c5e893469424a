import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { type Answers, answeredAccount } from '../../live/answered-account.fixture.ts';
import type { Destination } from './destination.ts';
import { syncedDraft } from './synced-draft.ts';

const to: Destination = { type: 'channel', channel: 5, topic: 'news' };
const draft = { id: 3, type: 'stream', to: [5], topic: 'News', content: 'left', timestamp: 9 };
const direct = { id: 4, type: 'private', to: [9, 8], topic: '', content: 'for you', timestamp: 9 };

const routes: Answers = {
  'POST /drafts': () => ({ ids: [3] }),
  'PATCH /drafts/3': () => ({}),
  'DELETE /drafts/3': () => ({}),
};
const opened = (drafts: readonly object[], settings: object = {}) =>
  answeredAccount(routes, { drafts, ...settings });
type Server = Awaited<ReturnType<typeof opened>>;
const changes = ({ asked }: Server) =>
  asked.map(({ route }) => route).filter((route) => route.includes('/drafts'));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());
/** Opens an account with timers that run. */
async function withTimers<T>(work: () => Promise<T>): Promise<T> {
  vi.useRealTimers();
  const result = await work();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return result;
}

test.each<[string, Destination, string]>([
  ['the same topic in another spelling', to, 'left'],
  ['the same people in another order', { type: 'direct', users: [8, 9] }, 'for you'],
  ['another topic', { ...to, topic: 'other' }, ''],
  ['fewer people', { type: 'direct', users: [8] }, ''],
])('the text of %s is %j', async (_name, place, text) => {
  using server = await withTimers(() => opened([draft, direct]));
  expect(syncedDraft(server.account, place).initial).toBe(text);
});

test('a text is saved after a second without a change, once', async () => {
  using server = await withTimers(() => opened([]));
  const saved = syncedDraft(server.account, to);
  saved.changed('h');
  vi.advanceTimersByTime(900);
  saved.changed('hello');
  vi.advanceTimersByTime(900);
  expect(changes(server)).toEqual([]);
  vi.advanceTimersByTime(100);
  await expect.poll(() => changes(server)).toEqual(['POST /drafts']);
  expect(JSON.parse(server.calls('POST /drafts')[0]?.['drafts'] ?? '')).toEqual([
    { type: 'stream', to: [5], topic: 'news', content: 'hello' },
  ]);
  // The event of the draft may come later than the next change.
  saved.changed('hello you');
  saved.leave();
  await expect.poll(() => changes(server)).toEqual(['POST /drafts', 'PATCH /drafts/3']);
});

test.each([
  ['was sent', (saved: ReturnType<typeof syncedDraft>) => saved.sent()],
  [
    'has only spaces',
    (saved: ReturnType<typeof syncedDraft>) => (saved.changed(' '), saved.leave()),
  ],
])('a draft that %s is removed', async (_name, act) => {
  using server = await withTimers(() => opened([draft]));
  act(syncedDraft(server.account, to));
  await expect.poll(() => changes(server)).toEqual(['DELETE /drafts/3']);
});

test('a text that goes to another conversation takes along the draft that began here, and no other', async () => {
  using server = await withTimers(() => opened([]));
  const saved = syncedDraft(server.account, to);
  saved.changed('hello');
  vi.advanceTimersByTime(1000);
  await expect.poll(() => changes(server)).toEqual(['POST /drafts']);
  saved.moved();
  await expect.poll(() => changes(server)).toEqual(['POST /drafts', 'DELETE /drafts/3']);
  using other = await withTimers(() => opened([draft]));
  const known = syncedDraft(other.account, to);
  known.changed('typed on the way');
  known.moved();
  vi.advanceTimersByTime(5000);
  expect(changes(other)).toEqual([]);
});

test('a text that was not changed is not saved', async () => {
  using server = await withTimers(() => opened([draft]));
  const saved = syncedDraft(server.account, to);
  saved.leave();
  vi.advanceTimersByTime(5000);
  expect(changes(server)).toEqual([]);
});

test('a user who does not want drafts on the server has none there', async () => {
  const settings = { user_settings: { enable_drafts_synchronization: false } };
  using server = await withTimers(() => opened([]));
  server.account.state.peek();
  Object.assign(server.account.state.peek() ?? {}, settings);
  const saved = syncedDraft(server.account, to);
  saved.changed('hello');
  saved.leave();
  vi.advanceTimersByTime(5000);
  expect(changes(server)).toEqual([]);
});
