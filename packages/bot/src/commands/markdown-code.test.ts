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
])('%j', (text, code) => {
  expect(inlineCode(text)).toBe(code);
});

test('a block outlives the fences in it', () => {
  expect(codeBlock('a')).toBe('```text\na\n```');
  expect(codeBlock('a ``` b')).toBe('````text\na ``` b\n````');
});
