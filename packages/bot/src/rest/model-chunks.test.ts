import { expect, test } from 'vitest';

import { meaningOf } from './model-chunks.ts';

const text = (said: string) => ({ kind: 'text', text: said });
const status = (shown: string) => ({ kind: 'status', status: shown });
const completion = (delta: object) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null }],
});

test.each<[string, unknown, object | undefined]>([
  ['a text', 'hi', text('hi')],
  ['an empty text', '', undefined],
  ['a text of your own', { text: 'hi' }, text('hi')],
  ['a status of your own', { status: 'Thinking' }, status('Thinking')],
  ['OpenAI: a role', completion({ role: 'assistant', content: '' }), undefined],
  ['OpenAI: content', completion({ content: 'hi' }), text('hi')],
  ['OpenAI: a refusal', completion({ refusal: 'no' }), text('no')],
  [
    'OpenAI: the begin of a tool call',
    completion({
      tool_calls: [{ index: 0, id: 'c1', function: { name: 'get_weather', arguments: '' } }],
    }),
    status('get weather...'),
  ],
  [
    'OpenAI: arguments of a tool call',
    completion({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }),
    undefined,
  ],
  ['OpenAI: usage', { object: 'chat.completion.chunk', choices: [], usage: {} }, undefined],
  ['OpenAI: text of a response', { type: 'response.output_text.delta', delta: 'hi' }, text('hi')],
  ['OpenAI: a refused response', { type: 'response.refusal.delta', delta: 'no' }, text('no')],
  [
    'OpenAI: a function call of a response',
    { type: 'response.output_item.added', item: { type: 'function_call', name: 'get_weather' } },
    status('get weather...'),
  ],
  [
    'OpenAI: a search of a response',
    { type: 'response.output_item.added', item: { type: 'web_search_call', id: 'ws_1' } },
    status('web search...'),
  ],
  [
    'OpenAI: a message of a response',
    { type: 'response.output_item.added', item: { type: 'message', role: 'assistant' } },
    undefined,
  ],
  ['OpenAI: a completed response', { type: 'response.completed', response: {} }, undefined],
  [
    'Anthropic: the begin of a message',
    { type: 'message_start', message: { role: 'assistant', content: [] } },
    undefined,
  ],
  [
    'Anthropic: the begin of a text',
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    undefined,
  ],
  [
    'Anthropic: text',
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } },
    text('hi'),
  ],
  [
    'Anthropic: thinking',
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
    undefined,
  ],
  [
    'Anthropic: a tool',
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', name: 'search' } },
    status('search...'),
  ],
  [
    'Anthropic: input of a tool',
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{' },
    },
    undefined,
  ],
  ['Vercel: text', { type: 'text-delta', id: '1', text: 'hi' }, text('hi')],
  ['Vercel: text of version 4', { type: 'text-delta', textDelta: 'hi' }, text('hi')],
  ['Vercel: text of a UI stream', { type: 'text-delta', id: '1', delta: 'hi' }, text('hi')],
  ['Vercel: reasoning', { type: 'reasoning-delta', id: '1', text: 'hm' }, undefined],
  [
    'Vercel: a tool',
    { type: 'tool-call', toolCallId: '1', toolName: 'search' },
    status('search...'),
  ],
  [
    'Vercel: a failed tool',
    { type: 'tool-error', toolCallId: '1', toolName: 'search', error: 'x' },
    status('search failed.'),
  ],
  ['Vercel: an abort', { type: 'abort' }, { kind: 'aborted' }],
])('%s', (_name, chunk, meaning) => expect(meaningOf(chunk)).toEqual(meaning));

test.each<[string, object, string]>([
  ['OpenAI', { type: 'error', code: 'x', message: 'too busy' }, 'too busy'],
  [
    'a response',
    { type: 'response.failed', response: { error: { message: 'too long' } } },
    'too long',
  ],
  [
    'Anthropic',
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    'Over',
  ],
  ['Vercel', { type: 'error', error: new Error('gone') }, 'gone'],
  ['a UI stream', { type: 'error', errorText: 'gone' }, 'gone'],
])('an error of %s has its message', (_name, chunk, message) => {
  const meaning = meaningOf(chunk);
  expect(meaning).toMatchObject({
    kind: 'error',
    error: { message: expect.stringContaining(message) },
  });
});

test('a value that is no chunk throws an error that names it', () => {
  expect(() => meaningOf(null)).toThrow('not null');
  expect(() => meaningOf(7)).toThrow('not number');
  expect(() => meaningOf({ delta: 'x', index: 1 })).toThrow('the keys delta, index');
});
