import { expect, test } from 'vitest';

import { terminalLine, terminalText } from './terminal-text.ts';

test.each([
  ['a colour', '\u001b[31mred\u001b[0m', 'red'],
  ['a cleared screen', '\u001b[2J\u001b[Hnothing before', 'nothing before'],
  ['a write to the clipboard', '\u001b]52;c;cm0=\u0007text', 'text'],
  ['a carriage return', 'hidden\rshown', 'hiddenshown'],
  ['a reversed order', 'user\u202egnp.exe', 'usergnp.exe'],
  ['a single escape', '\u001b', ''],
])('terminalText takes %s out of a text', (_what, text, shown) => {
  expect(terminalText(text)).toBe(shown);
});

test('terminalText keeps line breaks and composed emoji', () => {
  const text = 'one\n\ttwo 👩‍💻 é';
  expect(terminalText(text)).toBe(text);
});

test('terminalLine joins lines', () => {
  expect(terminalLine('one\n\ntwo')).toBe('one two');
});
