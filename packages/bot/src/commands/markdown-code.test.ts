import { expect, test } from 'vitest';

import { codeBlock, inlineCode } from './markdown-code.ts';

test.each([
  ['main', '`main`'],
  ['a`b', '``a`b``'],
  ['`a`', '`` `a` ``'],
  ['', '`""`'],
  ['  ', '`"  "`'],
  ['two\nlines', '`two lines`'],
  ['x'.repeat(61), `\`${'x'.repeat(60)}…\``],
])('inlineCode(%j) is %s', (text, code) => {
  expect(inlineCode(text)).toBe(code);
});

test('codeBlock uses a longer fence than any in its lines', () => {
  expect(codeBlock('a')).toBe('```text\na\n```');
  expect(codeBlock('a ``` b')).toBe('````text\na ``` b\n````');
});
