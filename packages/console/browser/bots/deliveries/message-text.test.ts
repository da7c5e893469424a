import { expect, test } from 'vitest';

import { messageText } from './message-text.ts';

test('messageText reads the message of a payload of both interfaces', () => {
  expect(messageText('{"message":{"content":"what is open?"}}')).toBe('what is open?');
  expect(messageText('token=x&text=what+is+open%3F')).toBe('what is open?');
});

test('messageText of a payload without a message is empty', () => {
  for (const payload of ['{"mine":true}', 'null', '{"message":7}', 'a=b', ''])
    expect(messageText(payload)).toBe('');
});
