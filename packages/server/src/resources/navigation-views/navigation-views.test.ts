import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { commitTogether } from '../../commit-together.fixture.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => (chat = await startTestChat()));
afterAll(() => chat[Symbol.asyncDispose]());

describe('a navigation view', () => {
  test('reaches the other clients of its user, and nobody else', async () => {
    const { hamlet, cordelia } = chat.people;
    const { navigationViews } = hamlet.client;
    const queues = [await listen(hamlet), await listen(cordelia)] as const;
    const view = { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' };
    await navigationViews.add(view);
    await navigationViews.update({ fragment: view.fragment, name: 'Alarms' });
    expect(await navigationViews.list({})).toMatchObject({
      navigation_views: [{ ...view, name: 'Alarms' }],
    });
    expect((await cordelia.client.navigationViews.list({})).navigation_views).toEqual([]);
    expect(await queues[0].events('navigation_view')).toMatchObject([
      { op: 'add', navigation_view: view },
      { op: 'update', fragment: view.fragment, data: { name: 'Alarms' } },
    ]);
    expect(await queues[1].events('navigation_view')).toEqual([]);
  });

  test('a navigation view that is removed at the same time cannot be changed', async () => {
    const { navigationViews } = (await chat.addPerson('gil')).client;
    const fragment = 'narrow/is/alerted';
    await navigationViews.add({ fragment, is_pinned: true, name: 'Alerts' });
    const changes: Promise<unknown>[] = [];
    await commitTogether(chat, [
      () => navigationViews.remove({ fragment }),
      () => {
        changes.push(navigationViews.update({ fragment, is_pinned: false }));
        return Promise.allSettled(changes);
      },
    ]);
    await expect(changes[0]).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each(['narrow/has/reaction/sender/me', 'narrow%2Fhas%2Freaction%2Fsender%2Fme'])(
    'is found by its fragment in the path as %s',
    async (path) => {
      const { iago } = chat.people;
      await iago.client.navigationViews.add({
        fragment: 'narrow/has/reaction/sender/me',
        is_pinned: true,
      });
      const route = `/navigation_views/${path}`;
      expect((await chat.ask(iago, `PATCH ${route}`, { is_pinned: 'false' })).status).toBe(200);
      expect((await iago.client.navigationViews.list({})).navigation_views).toMatchObject([
        { is_pinned: false, name: null },
      ]);
      expect((await chat.ask(iago, `DELETE ${route}`)).status).toBe(200);
    },
  );

  test.each(['narrow/channel/3-general/topic/', 'narrow%2Fchannel%2F3-general%2Ftopic%2F'])(
    'that ends with a slash is found by the path %s',
    async (path) => {
      const { client } = chat.people.iago;
      const fragment = 'narrow/channel/3-general/topic/';
      await client.navigationViews.add({ fragment, is_pinned: true, name: 'General' });
      const route = `/navigation_views/${path}`;
      for (const call of [`PATCH ${route}`, `DELETE ${route}`])
        expect((await chat.ask(chat.people.iago, call)).status).toBe(200);
    },
  );

  test('missing on the server is answered 404 with its own message', async () => {
    const { status, body } = await chat.ask(chat.people.hamlet, 'PATCH /navigation_views/nothing');
    expect([status, body]).toMatchObject([
      404,
      { code: 'NOT_FOUND', msg: 'Navigation view does not exist.' },
    ]);
  });
});

describe('adding a navigation view', () => {
  test.each([
    [{ fragment: 'inbox', name: 'Mine' }, 'Built-in views cannot have a custom name'],
    [{ fragment: 'narrow/x' }, 'Custom views must have a valid name'],
    [{ fragment: 'narrow/taken', name: 'Other' }, 'Navigation view already exists.'],
    [{ fragment: 'narrow/other', name: 'Taken' }, 'Navigation view already exists.'],
  ])('is refused for %j', async (fields: Record<string, string>, text) => {
    const { shiva } = chat.people;
    const add = (more: Record<string, string>) =>
      chat.ask(shiva, 'POST /navigation_views', { is_pinned: 'true', ...more });
    await add({ fragment: 'narrow/taken', name: 'Taken' });
    expect((await add(fields)).body).toMatchObject({ code: 'BAD_REQUEST', msg: text });
  });

  test('twice at the same time succeeds once', async () => {
    const { polonius } = chat.people;
    const view = { fragment: 'feed', is_pinned: true };
    const added = await Promise.allSettled(
      [view, view].map((one) => polonius.client.navigationViews.add(one)),
    );
    expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

test('a built-in view gets no name by an update', async () => {
  const { desdemona } = chat.people;
  await desdemona.client.navigationViews.add({ fragment: 'recent', is_pinned: false });
  for (const fragment of ['recent', 'scheduled'])
    await expect(
      desdemona.client.navigationViews.update({ fragment, name: 'Mine' }),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Built-in views cannot have a custom name',
    });
});
