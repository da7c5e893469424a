import { expect, test } from 'vitest';

import { explainAnswer } from './explain-answer.ts';
import { readAnswer } from './interpret-answer.ts';

const explain = (body: string, interfaceType = 1) =>
  explainAnswer(body, interfaceType, readAnswer(body, interfaceType));

test.each([
  ['{"content":"hi"}', 'replied'],
  ['{"content":"hi","error":null}', 'replied'],
  ['{"content":5}', 'replied with JSON as text: "content" is no string'],
  ['{"response_string":["hi"]}', 'replied with JSON as text: "response_string" is no string'],
  ['{}', '{}: silent'],
  ['""', 'an empty JSON string: silent'],
  ['{"response_not_required":true}', 'response_not_required: silent'],
  ['{"content":" "}', 'a blank content: silent'],
  ['{"ok":true}', 'no content: silent'],
  ['["hi"]', 'a JSON list, not an object'],
  ['"hi"', 'a JSON string, not an object: send {"content": "..."}'],
  ['null', 'JSON null, not an object'],
  ['7', 'a JSON number, not an object'],
  [
    JSON.stringify('{"content":"hi"}'),
    'JSON encoded twice: send the object itself, not its text as a string',
  ],
  ['', 'an empty answer, not JSON: answer {} for silence'],
])('the answer %s is explained', (body, words) => {
  expect(explain(body)).toEqual({ words });
});

test.each([
  ['{"content":"hi","error":"disk full"}', 'replied, and reports an error of the bot', 'bot_error'],
  ['{"text":"hi"}', 'no content: did you mean "content" for "text"?', 'misnamed_reply'],
  [
    '{"ok":true,"message":"hi"}',
    'no content: did you mean "content" for "message"?',
    'misnamed_reply',
  ],
  ['{"Content":"hi"}', 'no content: did you mean "content" for "Content"?', 'misnamed_reply'],
])('the answer %s is usable and has a fault', (body, words, fault) => {
  expect(explain(body)).toEqual({ words, fault });
});

test('a missing `content` is explained to a Slack-compatible bot as a missing `text`', () => {
  expect(explain('{"content":"hi"}', 2).words).toBe('no text: did you mean "text" for "content"?');
});

test.each([
  ['hello', 1, 1, 'hello'],
  ['<!doctype html>\n<p>Flask</p>', 1, 1, '<!doctype html>'],
  ["{'content': 'hi'}", 1, 2, "{'content': 'hi'}"],
  ['{"content": "a",}', 1, 17, '}'],
  ['{\n  "content": None\n}', 2, 14, 'None'],
  ['{"said": "None", "content": None}', 1, 29, 'None}'],
  ['{"content": "hi"', 1, 17, '"hi"'],
  ['{"content": "hi', 1, 16, '"hi'],
  ['{"content": "two\nlines"}', 1, 17, 'two'],
  ['{"content":"hi"}\n{"content":"again"}', 2, 1, '{"content":"again"}'],
])('the explanation of %j names the place where it is not JSON', (body, line, column, near) => {
  const { words, near: shown } = explain(body);
  expect(words).toBe(`not JSON at line ${line}, column ${column}`);
  expect(shown).toContain(near);
});

test('a long hostile text is explained in less than half a second', () => {
  const body = `[${'"N",'.repeat(16_000)}N]`;
  // CPU time of this thread: other work on the machine does not count.
  const before = process.threadCpuUsage();
  expect(explain(body).words).toMatch(/^not JSON at/);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(500);
});
