import { WebhookResponse } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { replyBody, toReply } from './reply.ts';

test('an undefined, null or blank result is silence', () => {
  for (const result of [undefined, null, '', ' \n', { content: ' ' }]) {
    expect(toReply(result)).toBeUndefined();
  }
  expect(JSON.parse(replyBody(undefined))).toEqual({ response_not_required: true });
});

test('a string and an object with content are replies', () => {
  expect(toReply('hello')).toEqual({ content: 'hello' });
  expect(toReply({ content: 'hello' })).toEqual({ content: 'hello' });
});

test.each([[3], [true], [{}], [{ content: 3 }], [[]], [() => 'hello']])(
  'the result %j throws reply_invalid with the accepted forms',
  (result) => {
    expect(() => toReply(result)).toThrow(
      expect.objectContaining({
        code: 'reply_invalid',
        message: expect.stringContaining('A handler returns a string'),
      }),
    );
  },
);

test('a widget given as an object or as text is sent as JSON text', () => {
  const widget = { widget_type: 'poll', extra_data: { question: 'Tea?' } };
  for (const given of [widget, JSON.stringify(widget)]) {
    const answer = WebhookResponse.parse(
      JSON.parse(replyBody(toReply({ content: 'Vote', widget: given }))),
    );
    expect(answer.content).toBe('Vote');
    expect(answer.widget_content).toBe(JSON.stringify(widget));
  }
});

test('a widget that JSON cannot hold throws reply_invalid with its cause', () => {
  const reply = { content: 'Vote', widget: { big: 1n } };
  expect(() => toReply(reply)).toThrow(
    expect.objectContaining({ code: 'reply_invalid', cause: expect.any(TypeError) }),
  );
});

test('unknown keys of a reply are not sent', () => {
  const reply = { content: 'hello', secret: 'x' };
  expect(replyBody(toReply(reply))).toBe('{"content":"hello"}');
});
