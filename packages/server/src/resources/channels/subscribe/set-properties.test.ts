import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import { addChannel } from '../channels.fixture.ts';

let chat: TestChat;
let stream_id: Awaited<ReturnType<typeof addChannel>>;
beforeAll(async () => {
  chat = await startTestChat();
  const { hamlet, polonius } = chat.people;
  stream_id = await addChannel(chat, { name: 'verona', subscribers: [hamlet, polonius] });
});
afterAll(() => chat[Symbol.asyncDispose]());

const set = (property: string, value: boolean | string, id = stream_id) =>
  chat.people.hamlet.client.subscriptions.setProperties({
    subscription_data: [{ stream_id: id, property, value }],
  });
const mine = async () => {
  const { subscriptions } = await chat.people.hamlet.client.subscriptions.list();
  return subscriptions.find((one) => one.stream_id === stream_id);
};

describe('POST /users/me/subscriptions/properties', () => {
  test.each([
    ['color', '#A1B2C3', '#a1b2c3'],
    ['pin_to_top', true, true],
    ['desktop_notifications', true, true],
    ['audible_notifications', false, false],
    ['push_notifications', true, true],
    ['email_notifications', false, false],
    ['wildcard_mentions_notify', false, false],
  ])('stores %s, and tells only the other clients of the user', async (property, value, stored) => {
    const { hamlet, polonius } = chat.people;
    const queues = [await listen(hamlet), await listen(polonius)];
    await set(property, value);
    expect(await mine()).toMatchObject({ [property]: stored });
    const update = { op: 'update', stream_id, property, value: stored };
    expect(await Promise.all(queues.map((queue) => queue.events('subscription')))).toMatchObject([
      [update],
      [],
    ]);
  });

  test('is_muted and the older in_home_view are opposites; either sends both events', async () => {
    const queue = await listen(chat.people.hamlet);
    await set('in_home_view', false);
    expect(await mine()).toMatchObject({ is_muted: true, in_home_view: false });
    await set('is_muted', false);
    expect(await mine()).toMatchObject({ is_muted: false, in_home_view: true });
    expect(await queue.events('subscription')).toMatchObject([
      { property: 'in_home_view', value: false },
      { property: 'is_muted', value: true },
      { property: 'in_home_view', value: true },
      { property: 'is_muted', value: false },
    ]);
  });

  test('refuses other channels, unknown properties and values of the wrong type', async () => {
    const { iago } = chat.people;
    const other = await addChannel(chat, { name: 'rome', subscribers: [iago] });
    const hidden = await addChannel(chat, {
      name: 'secret',
      subscribers: [iago],
      invite_only: true,
    });
    const refused = (answer: Promise<unknown>, message: string) =>
      expect(answer).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
    await refused(set('pin_to_top', true, other), `Not subscribed to channel ID ${other}`);
    await refused(set('pin_to_top', true, hidden), 'Invalid channel ID');
    await refused(set('pin_to_top', true, 999_999 as never), 'Invalid channel ID');
    await refused(set('role', true), 'Unknown subscription property: role');
    await refused(set('__proto__', true), 'Unknown subscription property: __proto__');
    await refused(set('is_muted', 'yes'), 'is_muted is not a boolean');
    await refused(set('color', true), 'color is not a string');
    await refused(set('color', 'red'), 'color is not a valid hex color code');
  });

  test('changes nothing if one of the changes is refused, and reports unknown parameters', async () => {
    const { hamlet } = chat.people;
    await set('pin_to_top', false);
    const change = (property: string) => ({ stream_id, property, value: true });
    await expect(
      hamlet.client.subscriptions.setProperties({
        subscription_data: [change('pin_to_top'), change('nonsense')],
      }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await mine()).toMatchObject({ pin_to_top: false });
    const answer = await chat.ask(hamlet, 'POST /users/me/subscriptions/properties', {
      subscription_data: JSON.stringify([change('pin_to_top')]),
      property: 'pin_to_top',
    });
    expect(answer.body).toEqual({
      result: 'success',
      msg: '',
      ignored_parameters_unsupported: ['property'],
    });
  });
});
