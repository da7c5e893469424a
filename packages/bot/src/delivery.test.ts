import { expect, test } from 'vitest';

import { readDelivery, readSlackDelivery } from './delivery.ts';
import { directMessage, mention, slackForm } from './example-payload.fixture.ts';

const sender = { id: 7, email: 'iago@chat.test', fullName: 'Iago' };

test('a mention has a channel and a topic', () => {
  const payload = mention('hi');
  const { delivery, token } = readDelivery(payload) ?? {};
  expect(token).toBe('genuine');
  expect(delivery).not.toHaveProperty('token');
  expect(delivery?.message).toEqual({
    id: payload.message.id,
    content: 'hi',
    renderedContent: '<p>hi</p>',
    timestamp: 1_790_000_000,
    sender,
    channel: { id: 3, name: 'ops' },
    topic: 'releases',
  });
});

test('a direct message has recipients, and no channel', () => {
  const message = readDelivery(directMessage('hi'))?.delivery.message;
  expect(message).toMatchObject({ sender, recipients: [{ id: 7 }, { id: 9 }] });
  expect(message).not.toHaveProperty('channel');
});

test('the old trigger private_message is a direct message', () => {
  const old = { ...directMessage('hi'), trigger: 'private_message' };
  expect(readDelivery(old)?.delivery.trigger).toBe('direct_message');
});

test('unknown keys are ignored at every level', () => {
  const { message, ...rest } = mention('hi');
  const newer = {
    ...message,
    flags: ['new_flag'],
    reactions: [{ reaction_type: 'new' }],
    later: {},
  };
  expect(readDelivery({ ...rest, later: 1, message: newer })).toEqual(
    readDelivery({ ...rest, message }),
  );
});

test('an empty topic stays empty', () => {
  const payload = mention('hi');
  const untold = { ...payload, message: { ...payload.message, subject: '' } };
  expect(readDelivery(untold)?.delivery.message).toMatchObject({ topic: '' });
});

test('the Slack-compatible form is a mention with an empty topic and message id 0', () => {
  expect(readSlackDelivery(slackForm)).toEqual({
    token: 'genuine',
    delivery: {
      botEmail: '',
      botFullName: '',
      trigger: 'mention',
      message: {
        id: 0,
        content: '@**Echo Bot** hi',
        renderedContent: '',
        sender: { id: 7, email: '', fullName: 'Iago' },
        timestamp: 1_790_000_000,
        channel: { id: 3, name: 'ops' },
        topic: '',
      },
    },
  });
});

test.each([{ channel_id: '3' }, { user_id: 'x' }, { token: undefined }, { timestamp: 'now' }])(
  'a form with %j is not a delivery',
  (fields) => {
    expect(readSlackDelivery({ ...slackForm, ...fields })).toBeUndefined();
  },
);

test.each([
  ['undefined', undefined],
  ['null', null],
  ['a list', [mention('hi')]],
  ['a text', 'hi'],
  ['no message', { ...mention('hi'), message: undefined }],
  ['another trigger', { ...mention('hi'), trigger: 'reaction' }],
  ['a number for a token', { ...mention('hi'), token: 5 }],
  ['a mention outside of channels', { ...mention('hi'), message: directMessage('hi').message }],
  ['a direct message in a channel', { ...directMessage('hi'), message: mention('hi').message }],
  ['no channel', { ...mention('hi'), message: { ...mention('hi').message, stream_id: undefined } }],
])('%s is not a delivery', (_what, body) => {
  expect(readDelivery(body)).toBeUndefined();
});
