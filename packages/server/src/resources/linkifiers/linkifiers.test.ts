import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => (chat = await startTestChat()));
afterAll(() => chat[Symbol.asyncDispose]());

const add = (pattern: string, url_template: string) =>
  chat.ask(chat.people.iago, 'POST /realm/filters', { pattern, url_template });

describe('a linkifier', () => {
  test('turns matches in messages and topics into links', async () => {
    const { iago, hamlet, cordelia } = chat.people;
    await iago.client.linkifiers.add({
      pattern: '#(?P<id>[0-9]+)',
      url_template: 'https://issues.test/{id}',
    });
    await hamlet.client.subscriptions.add({
      subscriptions: [{ name: 'plans' }],
      principals: [hamlet.user.id, cordelia.user.id],
    });
    const queue = await listen(cordelia);
    const { id } = await hamlet.client.messages.send({
      type: 'channel',
      to: 'plans',
      topic: 'about #7',
      content: 'See #12, not `#13` or a#14.',
    });
    const topic_links = [{ text: '#7', url: 'https://issues.test/7' }];
    const { message } = await cordelia.client.messages.fetchOne({ message_id: id });
    expect(message).toMatchObject({
      content: '<p>See <a href="https://issues.test/12">#12</a>, not <code>#13</code> or a#14.</p>',
      topic_links,
    });
    expect(await queue.events('message')).toMatchObject([{ message: { topic_links } }]);
  });

  test('is in the initial state and in events only for clients with the capability', async () => {
    const { iago, hamlet } = chat.people;
    const capable = { client_capabilities: { linkifier_url_template: true } };
    const queues = [await listen(hamlet, capable), await listen(hamlet)] as const;
    const { id } = await iago.client.linkifiers.add({
      pattern: 'T(?P<task>[0-9]+)',
      url_template: 'https://tasks.test/{task}',
    });
    const { linkifiers } = await hamlet.client.linkifiers.list({});
    expect(linkifiers.at(-1)).toEqual({
      id,
      pattern: 'T(?P<task>[0-9]+)',
      url_template: 'https://tasks.test/{task}',
    });
    expect(await queues[0].events('realm_linkifiers')).toMatchObject([
      { type: 'realm_linkifiers', realm_linkifiers: linkifiers },
    ]);
    expect(await queues[1].events('realm_linkifiers')).toEqual([]);
    const state = (options: object) =>
      hamlet.client.queues.register({ fetch_event_types: ['realm_linkifiers'], ...options });
    expect(await state(capable)).toMatchObject({ realm_linkifiers: linkifiers });
    expect(await state({})).toMatchObject({ realm_linkifiers: [] });
  });
});

test('an administrator tries a linkifier on a text, and nothing is stored', async () => {
  const { linkifiers } = chat.people.iago.client;
  const rule = { pattern: 'try-(?P<id>[0-9]+)', url_template: 'https://x.test/{id}' };
  const text = 'See try-1, not a-try-2 or `try-3`';
  expect(await linkifiers.test({ ...rule, text })).toMatchObject({
    problem: null,
    matches: [{ index: 4, text: 'try-1', url: 'https://x.test/1' }],
  });
  expect(await linkifiers.test({ ...rule, pattern: '(', text })).toMatchObject({
    problem: expect.stringContaining('Invalid regular expression: '),
    matches: [],
  });
  const stored = (await linkifiers.list()).linkifiers.map(({ pattern }) => pattern);
  expect(stored).not.toContain(rule.pattern);
});

test('an administrator tries a changed linkifier beside its own pattern', async () => {
  const { linkifiers } = chat.people.iago.client;
  const rule = { pattern: 'own-(?P<id>[0-9]+)', url_template: 'https://x.test/{id}' };
  const { id } = await linkifiers.add(rule);
  const taken = await linkifiers.test({ ...rule, text: 'own-1' });
  expect(taken.problem).toBe('A linkifier with this pattern already exists.');
  const own = await linkifiers.test({ ...rule, text: 'own-1', filter_id: id });
  expect(own.matches).toHaveLength(1);
});

describe('adding a linkifier', () => {
  test.each([
    ['pattern', '(', 'https://x.test/', 'Invalid regular expression: '],
    ['pattern', 'a)(?P<id>b', 'https://x.test/{id}', 'Invalid regular expression: '],
    ['pattern', '(?=a)b', 'https://x.test/', 'Invalid regular expression: '],
    ['pattern', '(?P<id>x*)', 'https://x.test/{id}', 'The pattern must not match the empty text.'],
    ['pattern', '(?P<id>(x|yz|w){1000})', 'https://x.test/{id}', 'The pattern is too complex.'],
    ['pattern', 'taken', 'https://x.test/', 'A linkifier with this pattern already exists.'],
    ['url_template', 'b(?P<id>x)', 'https://x.test/{id', 'Invalid URL template.'],
    ['url_template', 'b(?P<id>x)', 'javascript:alert({id})', 'The URL template must begin with'],
    ['__all__', 'bug', 'https://x.test/{id}', "Group 'id' in the URL template is not present"],
    ['__all__', 'bug(?P<id>x)', 'https://x.test/', "Group 'id' in the linkifier pattern is not"],
  ])('names the fault in %s for %j with %j', async (field, pattern, template, text) => {
    await add('taken', 'https://x.test/');
    const { status, body } = await add(pattern, template);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: expect.stringContaining(text),
      errors: { [field]: [expect.stringContaining(text)] },
    });
  });

  test('is refused to moderators', async () => {
    const { body } = await chat.ask(chat.people.shiva, 'POST /realm/filters', {
      pattern: 'm',
      url_template: 'https://x.test/',
    });
    expect(body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
  });

  test('is refused beyond 100 linkifiers, and two at the same time both count', async () => {
    await using full = await startTestChat();
    const { linkifiers } = full.people.iago.client;
    const rules = Array.from({ length: 105 }, (_, at) => ({
      pattern: `n${at}`,
      url_template: 'https://x.test/',
    }));
    const added = await Promise.allSettled(rules.map((rule) => linkifiers.add(rule)));
    expect(added.filter(({ status }) => status === 'rejected')).toHaveLength(5);
    expect(added.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: 'An organization can have at most 100 linkifiers: remove some first.' },
    });
  });
});

test('the first of two linkifiers that match the same text wins, after a reorder the other', async () => {
  const { iago, hamlet } = chat.people;
  const { client } = iago;
  await client.linkifiers.add({ pattern: 'w-1', url_template: 'https://first.test/' });
  await client.linkifiers.add({ pattern: 'w-(?P<n>1)', url_template: 'https://second.test/{n}' });
  const rendered = async () => {
    const to = [hamlet.user.id];
    const { id } = await hamlet.client.messages.send({ type: 'direct', to, content: 'w-1' });
    return (await hamlet.client.messages.fetchOne({ message_id: id })).message.content;
  };
  expect(await rendered()).toContain('https://first.test/');
  const { linkifiers } = await client.linkifiers.list({});
  const reversed = linkifiers.map(({ id }) => id).toReversed();
  await client.linkifiers.reorder({ ordered_linkifier_ids: reversed });
  expect(await rendered()).toContain('https://second.test/1');
  await expect(
    client.linkifiers.reorder({ ordered_linkifier_ids: reversed.slice(1) }),
  ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('updating or removing an unknown linkifier is BAD_REQUEST', async () => {
  const { iago } = chat.people;
  const rule = { pattern: 'unknown', url_template: 'https://x.test/' };
  for (const route of ['PATCH /realm/filters/99999', 'DELETE /realm/filters/99999'])
    expect((await chat.ask(iago, route, rule)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Linkifier not found.',
    });
});
