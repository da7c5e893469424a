import { expect, test } from 'vitest';

import { readDelivery } from './delivery.ts';
import { directMessage, mention } from './example-payload.ts';

const sender = { id: 7, email: 'iago@chat.test', full_name: 'Iago' };

test('a mention has a channel and a topic', () => {
  const delivery = readDelivery(mention('hi'));
  expect(delivery?.message).toEqual({
    id: 91,
    content: 'hi',
    rendered_content: '<p>hi</p>',
    timestamp: 1_790_000_000,
    sender,
    channel: { id: 3, name: 'ops' },
    topic: 'releases',
  });
});

test('a direct message has recipients, and no channel', () => {
  const { message } = readDelivery(directMessage('hi')) ?? {};
  expect(message).toMatchObject({ sender, recipients: [{ id: 7 }, { id: 9 }] });
  expect(message).not.toHaveProperty('channel');
});

test('the old private_message is a direct message', () => {
  const old = { ...directMessage('hi'), trigger: 'private_message' };
  expect(readDelivery(old)?.trigger).toBe('direct_message');
});

test('keys of newer servers are tolerated, at every level', () => {
  const { message, ...rest } = mention('hi');
  expect(
    readDelivery({ ...rest, later: 1, message: { ...message, flags: [], later: {} } }),
  ).toEqual(readDelivery(mention('hi')));
});

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
])('%s is no delivery', (_what, body) => {
  expect(readDelivery(body)).toBeUndefined();
});
