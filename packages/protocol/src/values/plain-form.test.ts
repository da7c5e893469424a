import { expect, test } from 'vitest';

import { plainForm, visibleText, wordKey } from './plain-form.ts';

test('every decimal digit of Unicode has a plain form, and each script has all ten', () => {
  const counts = Array.from({ length: 10 }, () => 0);
  for (let code = 0; code < 0x110000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const digit = String.fromCodePoint(code);
    if (!/^\p{Nd}$/u.test(digit)) continue;
    const plain = plainForm(digit);
    expect(plain).toMatch(/^[0-9]$/);
    counts[Number(plain)] = (counts[Number(plain)] ?? 0) + 1;
  }
  expect(new Set(counts).size).toBe(1);
});

test('the plain form of a text of format characters and white space is empty', () => {
  for (let code = 0; code < 0x110000; code += 1) {
    const one = code >= 0xd800 && code < 0xe000 ? '' : String.fromCodePoint(code);
    if (/^[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cc}\s]$/u.test(one) && plainForm(one) !== '')
      expect.unreachable(`U+${code.toString(16)}`);
  }
});

test.each([
  ['ＡＢＣ　１２', 'ABC 12'],
  [' a\u00a0\n b ', 'a b'],
  ['2030‑12–31—−', '2030-12-31--'],
  ['e\u0301', 'é'],
  ['5² x₃', '5² x₃'],
  ['ab', 'ab'],
])('the plain form of %j is %j', (text, plain) => {
  expect(plainForm(text)).toBe(plain);
});

test('wordKey is the plain form in lower case', () => {
  expect(wordKey('ＤＥＰＬＯＹ\u200b')).toBe('deploy');
});

test.each([
  ['\u200b a\u200bb \u2060\u200e', 'a\u200bb'],
  ['\ufe0fa', 'a'],
  ['❤\ufe0f', '❤\ufe0f'],
  ['🏴\u{e0067}\u{e007f}', '🏴\u{e0067}\u{e007f}'],
  ['👩\u200d🚀', '👩\u200d🚀'],
  [' a ', 'a'],
  ['\u200b', ''],
  ['', ''],
])('visibleText(%j) is %j', (text, visible) => {
  expect(visibleText(text)).toBe(visible);
});

test('visibleText of a long run of invisible characters takes less than 1 s', () => {
  const text = 'a' + `\u200b`.repeat(100_000) + 'é';
  const started = process.cpuUsage().user;
  expect(visibleText(text)).toBe(text);
  expect(process.cpuUsage().user - started).toBeLessThan(1_000_000);
});
