import { expect, test } from 'vitest';

import { clientAddress, limitedAddress } from './client-address.ts';

const peer = { remoteAddress: '::ffff:198.51.100.1' };

test.each([
  ['203.0.113.8', '203.0.113.8'],
  ['203.0.113.8:40001', '203.0.113.8'],
  [' 203.0.113.8 ', '203.0.113.8'],
  ['"203.0.113.8:40001"', '203.0.113.8'],
  ['[203.0.113.8]', '203.0.113.8'],
  ['::ffff:203.0.113.8', '203.0.113.8'],
  ['::FFFF:cb00:7108', '203.0.113.8'],
  ['0:0:0:0:0:ffff:203.0.113.8', '203.0.113.8'],
  ['[::ffff:203.0.113.8]:443', '203.0.113.8'],
  ['2001:db8::1', '2001:db8::1'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['"[2001:db8::1]:443"', '2001:db8::1'],
  ['2001:db8:0:0:0:0:0:1:443', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:443', 'fe80::1'],
])('the address of the entry %j is %s', (entry, address) => {
  expect(clientAddress(entry, peer)).toBe(address);
});

test.each([
  undefined,
  '',
  ' ',
  'unknown',
  '_hidden',
  'for=203.0.113.8',
  'unix:',
  'localhost',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.008',
  '3405803784',
  '0xcb007108',
  '203.0.113.8:http',
  '203.0.113.8:1:2',
  '203.0.113.8, 203.0.113.9',
  '[2001:db8::1',
  '[]',
  '[]:443',
  '\u{ff12}03.0.113.8',
])('the entry %j has no address: that of the peer counts', (entry) => {
  expect(clientAddress(entry, peer)).toBe('198.51.100.1');
});

test('a connection without a peer, such as one that has just closed, has an empty address', () => {
  expect(clientAddress(undefined, {})).toBe('');
});

test.each([
  ['203.0.113.8', '203.0.113.8'],
  ['::ffff:203.0.113.8', '203.0.113.8'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0DB8::ffff:1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['', ''],
])('rate limits count %j as %j', (ip, limited) => {
  expect(limitedAddress(ip)).toBe(limited);
});
