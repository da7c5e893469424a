import { expect, test } from 'vitest';

import { answeredAccount, refusal } from './answered-account.fixture.ts';

const draft = { id: 1, type: 'stream', to: [5], topic: 'news', content: 'hello', timestamp: 9 };

test('the state is that of the registration, changed by each event', async () => {
  using server = await answeredAccount({}, { drafts: [] });
  const { account } = server;
  expect(account.state.value?.drafts).toEqual([]);
  expect([account.status.value, account.generation.value]).toEqual(['live', 1]);
  const seen: unknown[] = [];
  const stop = account.onEvent(() => seen.push(account.state.value?.drafts?.length));
  await server.happens({ type: 'drafts', op: 'add', drafts: [draft] });
  expect(account.state.value?.drafts).toEqual([draft]);
  stop();
  await server.happens({ type: 'drafts', op: 'remove', draft_id: 1 });
  expect(account.state.value?.drafts).toEqual([]);
  // A listener is called after the state has changed.
  expect(seen).toEqual([1]);
});

test('after a lost queue the account registers anew, and its generation goes up by one', async () => {
  using server = await answeredAccount({}, { drafts: [] });
  const { account } = server;
  await server.happens({ type: 'drafts', op: 'add', drafts: [draft] });
  await server.registersAgain();
  expect(account.generation.value).toBe(2);
  expect(account.state.value?.queue_id).toBe('queue 2');
  expect(account.state.value?.drafts).toEqual([]);
});

test('a change that is applied is in the state, and listeners hear of it', async () => {
  using server = await answeredAccount({}, { drafts: [draft] });
  const { account } = server;
  const types: string[] = [];
  account.onEvent(({ type }) => types.push(type));
  account.apply({ type: 'drafts', op: 'remove', draft_id: 1 } as never);
  expect(account.state.value?.drafts).toEqual([]);
  expect(types).toEqual(['drafts']);
});

test('an account that the server refuses has ended', async () => {
  using server = await answeredAccount();
  server.answers['POST /register'] = () => refusal('UNAUTHORIZED', 401);
  const ended = new Promise<void>((resolve) => {
    server.account.status.subscribe((status) => {
      if (status === 'ended') resolve();
    });
  });
  server.losesQueue();
  await ended;
});
