import { expect, test } from 'vitest';

import { decodeText } from './decode-text.ts';

const latin1 = Buffer.from('caf\u00e9', 'latin1');
const utf8 = Buffer.from('caf\u00e9');

test.each([
  [undefined, utf8],
  ['', utf8],
  ['text/html', utf8],
  ['application/json; charset=UTF8', utf8],
  ['application/json; charset="utf-8"; x=y', utf8],
  ['text/plain; charset=us-ascii', utf8],
  ['text/plain; charset=', utf8],
  ['text/plain; charset=ISO-8859-1', latin1],
  ['text/plain;charset = latin1', latin1],
  ['text/plain; charset="windows-1252"', latin1],
  ['text/plain; charset=utf-16le', Buffer.from('caf\u00e9', 'utf16le')],
  ['text/plain; charset=utf-8', Buffer.from('\ufeffcaf\u00e9', 'utf16le')],
  [undefined, Buffer.from('\ufeffcaf\u00e9')],
  ['text/plain; charset=iso-8859-1', Buffer.from('\ufeffcaf\u00e9')],
  ['text/plain; charset=utf-16be', Buffer.from('\ufeffcaf\u00e9', 'utf16le')],
  ["text/plain; charset='utf-8'", utf8],
  ['text/plain; charset=utf_8', utf8],
  ['text/plain; charset=utf-8, text/plain; charset=latin1', utf8],
  ['text/plain; charset="iso\\-8859-1"', latin1],
  ['text/plain; charset=latin1; charset=utf-8', latin1],
  ['text/plain; title="; charset=latin1"', utf8],
  ['text/plain; title="\\"; charset=latin1"; charset=utf-8', utf8],
])('text of the type %j is decoded', (type, bytes) => {
  expect(decodeText(bytes, type)).toEqual({ text: 'caf\u00e9' });
});

test.each([
  [undefined, latin1, /^is not valid UTF-8/],
  ['text/plain; charset=utf-8', latin1, /^is not valid UTF-8/],
  ['text/plain; charset=shift_jis', Buffer.from([0x80]), /^is not valid SHIFT_JIS/],
  ['text/plain; charset=klingon', utf8, /^has the charset klingon, which/],
  ['text/plain; charset=utf-7', utf8, /^has the charset utf-7, which/],
  ['text/plain; charset=utf-32', utf8, /^has the charset utf-32, which/],
  [undefined, Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), /^has the charset utf-32, which/],
  ['text/plain; charset="<b>"', utf8, /^has the charset \?b\?, which/],
])('text of the type %j that is something else has a fault', (type, bytes, fault) => {
  expect(decodeText(bytes, type).fault).toMatch(fault);
});

test('text with a fault is kept as far as it can be read', () => {
  expect(decodeText(latin1).text).toBe('caf\ufffd');
  expect(decodeText(utf8, 'text/plain; charset=klingon').text).toBe('caf\u00e9');
});

test('the bytes from 0x80 to 0x9f of ISO-8859-1 are those of Windows, as in browsers', () => {
  expect(decodeText(Buffer.from([0x80]), 'text/plain; charset=iso-8859-1').text).toBe('\u20ac');
});
