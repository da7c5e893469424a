import { WebhookResponse } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { replyBody, toReply } from './reply.ts';

test('nothing and blank content are silence', () => {
  for (const result of [undefined, null, '', ' \n', { content: ' ' }]) {
    expect(toReply(result)).toBeUndefined();
  }
  expect(JSON.parse(replyBody(undefined))).toEqual({ response_not_required: true });
});

test('a string and an object are replies', () => {
  expect(toReply('hello')).toEqual({ content: 'hello' });
  expect(toReply({ content: 'hello' })).toEqual({ content: 'hello' });
});

test.each([[3], [true], [{}], [{ content: 3 }], [[]], [() => 'hello']])(
  '%j is refused, saying what is wanted',
  (result) => {
    expect(() => toReply(result)).toThrow(
      expect.objectContaining({
        code: 'reply_invalid',
        message: expect.stringContaining('A handler returns a string'),
      }),
    );
  },
);

test('a widget travels as JSON text, given as text or as an object', () => {
  const widget = { widget_type: 'poll', extra_data: { question: 'Tea?' } };
  for (const widget_content of [widget, JSON.stringify(widget)]) {
    const answer = WebhookResponse.parse(
      JSON.parse(replyBody(toReply({ content: 'Vote', widget_content }))),
    );
    expect(answer.content).toBe('Vote');
    expect(answer.widget_content).toBe(JSON.stringify(widget));
  }
});

test('a widget that is no JSON is refused, with the cause', () => {
  const reply = { content: 'Vote', widget_content: { big: 1n } };
  expect(() => toReply(reply)).toThrow(
    expect.objectContaining({ code: 'reply_invalid', cause: expect.any(TypeError) }),
  );
});

test('only what the server reads is sent', () => {
  const reply = { content: 'hello', secret: 'x' };
  expect(replyBody(toReply(reply))).toBe('{"content":"hello"}');
});
