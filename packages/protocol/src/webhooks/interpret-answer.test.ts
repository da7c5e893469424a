import { expect, test } from 'vitest';

import { interpretAnswer } from './interpret-answer.ts';

const silence = { kind: 'silence' };
const reply = (content: string) => ({ kind: 'reply', content });
const notJson = { kind: 'mistake', fault: 'not_json' };
const notObject = { kind: 'mistake', fault: 'not_object' };
const badWidget = (detail: RegExp) => ({
  kind: 'mistake',
  fault: 'bad_widget',
  detail: expect.stringMatching(detail) as unknown,
});
const poll = '{"widget_type":"poll","extra_data":{"question":"Tea?","options":["yes"]}}';

test.each([
  ['', notJson],
  ['hello', notJson],
  ['<html></html>', notJson],
  ['""', silence],
  ['"hello"', notObject],
  ['[]', notObject],
  ['[{"content":"x"}]', notObject],
  ['null', notObject],
  ['7', notObject],
  ['{}', silence],
  ['{"text":"slack only"}', silence],
  ['{"content":"hi"}', reply('hi')],
  ['\ufeff{"content":"hi"}', reply('hi')],
  ['{"response_string":"hi"}', reply('hi')],
  ['{"response_string":"old","content":"new"}', reply('old')],
  ['{"response_string":"","content":"new"}', silence],
  ['{"response_not_required":true,"content":"hi"}', silence],
  ['{"response_not_required":"yes","response_string":"hi"}', silence],
  ['{"response_not_required":false,"content":"hi"}', reply('hi')],
  ['{"response_not_required":0,"content":"hi"}', reply('hi')],
  ['{"response_not_required":[],"content":"hi"}', reply('hi')],
  ['{"content":""}', silence],
  ['{"content":" \\n\\t "}', silence],
  ['{"content":null}', silence],
  [String.raw`{"content":"a\ud800b"}`, reply('a\ufffdb')],
  ['{"content":42}', reply('42')],
  ['{"content":false}', reply('false')],
  ['{"content":{"a":1}}', reply('{"a":1}')],
  ['{"content":"hi","to":"another channel","topic":"x"}', reply('hi')],
  [
    JSON.stringify({ content: 'hi', widget_content: poll }),
    { ...reply('hi'), widget_content: poll },
  ],
  ['{"content":"hi","widget_content":null}', reply('hi')],
  ['{"content":"hi","widget_content":{"widget_type":"poll"}}', badWidget(/JSON text/)],
  ['{"content":"hi","widget_content":"{"}', badWidget(/not valid JSON text/)],
  ['{"content":"hi","widget_content":"{\\"widget_type\\":\\"game\\"}"}', badWidget(/widget_type/)],
  ['{"content":"hi","widget_content":"{\\"widget_type\\":\\"zform\\"}"}', badWidget(/extra_data/)],
  ['{"response_string":"hi","widget_content":"{"}', reply('hi')],
  ['{"widget_content":"{"}', silence],
])('%s', (body, expected) => {
  expect(interpretAnswer(body, 1)).toEqual(expected);
});

test('a widget of more than 10,000 characters is a mistake, one of 10,000 is accepted', () => {
  const answer = (length: number) => ({ content: 'hi', widget_content: poll.padEnd(length) });
  expect(interpretAnswer(JSON.stringify(answer(10_001)), 1)).toEqual(
    badWidget(/widget_content.*at most 10000 characters/),
  );
  expect(interpretAnswer(JSON.stringify(answer(10_000)), 1)).toMatchObject({ kind: 'reply' });
});

test.each([
  ['{"text":"hi"}', reply('hi')],
  ['{"text":" "}', silence],
  ['{"content":"hi"}', silence],
  ['{"response_not_required":true,"text":"hi"}', reply('hi')],
  ['ok', notJson],
])('Slack-compatible: %s', (body, expected) => {
  expect(interpretAnswer(body, 2)).toEqual(expected);
});
