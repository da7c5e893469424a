import { randomBytes } from 'node:crypto';

import { expect, test } from 'vitest';

import { decodeBase64, encodeBase64 } from './base64.ts';
import { BadEncoding } from './errors.ts';

test('encodeBase64 writes the base64 of Node for every length, and decodeBase64 reverses it', () => {
  for (let length = 0; length < 300; length++) {
    const bytes = randomBytes(length);
    const text = encodeBase64(bytes);
    expect(text).toBe(bytes.toString('base64'));
    expect(Buffer.from(decodeBase64(text)).equals(bytes)).toBe(true);
  }
});

test('decodeBase64 reverses encodeBase64 for all 256 bytes', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(decodeBase64(encodeBase64(all))).toEqual(all);
});

test.each([
  ['a length that is no multiple of 4', 'QUJ'],
  ['missing padding', 'QQ'],
  ['too much padding', 'Q==='],
  ['only padding', '===='],
  ['padding in the middle', 'QQ==QUJD'],
  ['padding of three', 'QUI=QUI=QUI='],
  ['the URL alphabet: minus', 'QUI-'],
  ['the URL alphabet: underscore', 'QUI_'],
  ['a space', 'QU I'],
  ['a line break', 'QUJD\nQUJ'],
  ['a line break at the end', 'QUJD\r\n\r\n'],
  ['a letter beyond ASCII', 'QUJé'],
  ['a sign above the Basic Multilingual Plane', 'QU🔔'],
  ['stray bits under two signs of padding', 'QR=='],
  ['stray bits under one sign of padding', 'QUJ='],
])('decodeBase64 throws BadEncoding for %s', (_, text) => {
  expect(() => decodeBase64(text)).toThrow(BadEncoding);
});

test('decodeBase64 accepts exactly one last digit for given bytes', () => {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const accepted = (ending: (digit: string) => string) =>
    Array.from(digits).filter((digit) => {
      try {
        return decodeBase64(ending(digit)).length > 0;
      } catch {
        return false;
      }
    });
  expect(accepted((digit) => `Q${digit}==`).join('')).toBe('AQgw');
  expect(accepted((digit) => `QU${digit}=`).join('')).toBe('AEIMQUYcgkosw048');
});
