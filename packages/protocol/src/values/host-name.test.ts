import { describe, expect, test } from 'vitest';

import { normalHost } from './host-name.ts';

describe('normalHost', () => {
  test.each([
    ['chat.example.com', 'chat.example.com'],
    ['Chat.EXAMPLE.com', 'chat.example.com'],
    ['chat.example.com.', 'chat.example.com'],
    ['chat.example.com:443', 'chat.example.com'],
    ['chat.example.com.:443', 'chat.example.com'],
    ['chat.example.com:0443', 'chat.example.com'],
    ['chat.example.com.:8443', 'chat.example.com:8443'],
    ['chat.example.com:80', 'chat.example.com:80'],
    ['chat。example．com｡', 'chat.example.com'],
    ['ｃｈａｔ.example.com', 'chat.example.com'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['xn--BCHER-kva.example', 'xn--bcher-kva.example'],
    ['a\u00ADb.example', 'ab.example'],
    ['a_b.example', 'a_b.example'],
    ['localhost:4600', 'localhost:4600'],
    ['192.0.2.1', '192.0.2.1'],
    ['0xC0.0.2.1', '192.0.2.1'],
    ['[2001:DB8:0::1]:9200', '[2001:db8::1]:9200'],
  ])('reads %s as %s', (text, host) => expect(normalHost(text)).toBe(host));

  test('drops the default port of the scheme', () => {
    expect(normalHost('a.example:80', 'http')).toBe('a.example');
    expect(normalHost('a.example:443', 'http')).toBe('a.example:443');
  });

  test.each([
    '',
    '.',
    '*.example.com',
    'user@x',
    'x?a',
    'x#a',
    'x/a',
    'x\\a',
    'a..b',
    'a.b..',
    '.a.b',
    ':99999',
    'a:99999',
    'a:0',
    'a:',
    'a:b',
    'a:80:80',
    '-a.example',
    'a-.example',
    'a b',
    'a\tb',
    'a%2eb',
    '[::1',
    '2001:db8::1',
    'https://a.example',
    `${'a'.repeat(64)}.example`,
    'a.'.repeat(127) + 'a',
  ])('refuses %j', (text) => expect(normalHost(text)).toBeUndefined());
});
