import { inspect } from 'node:util';

import { describe, expect, test } from 'vitest';

import { Proxies } from './proxies.ts';

const https = 'http://ada:se%40cret@proxy.example.com:3128';
const isProxied = (url: string, no = '') =>
  new Proxies({ https, no }).for(new URL(url)) !== undefined;

test('without HTTPS_PROXY, and for http, connections are direct', () => {
  expect(new Proxies().for(new URL('https://example.com'))).toBeUndefined();
  expect(new Proxies({ https: ' ' }).for(new URL('https://example.com'))).toBeUndefined();
  expect(isProxied('http://example.com')).toBe(false);
});

test('the login of a proxy is decoded, and its name does not have it', () => {
  expect(new Proxies({ https }).for(new URL('https://example.com'))).toEqual({
    protocol: 'http:',
    host: 'proxy.example.com',
    port: 3128,
    authorization: `Basic ${btoa('ada:se@cret')}`,
    name: 'http://proxy.example.com:3128',
  });
});

test.each([
  ['proxy.example.com:3128', 'http:', 3128],
  ['http://proxy.example.com', 'http:', 80],
  ['https://proxy.example.com', 'https:', 443],
])('%s is a proxy', (text, protocol, port) => {
  const proxies = new Proxies({ https: text });
  expect(proxies.for(new URL('https://example.com'))).toMatchObject({ protocol, port });
});

test.each(['socks5://ada:secret@proxy.example.com', 'http://', 'ftp://ada:secret@x', '::'])(
  '%s is refused without repeating it',
  (text) => {
    expect(() => new Proxies({ https: text })).toThrow(/^must be the address of an HTTP proxy/);
    expect(() => new Proxies({ https: text })).not.toThrow(/secret/);
  },
);

test('neither a log nor JSON shows the login', () => {
  const proxies = new Proxies({ https });
  for (const text of [JSON.stringify({ proxies }), inspect({ proxies }, { depth: 9 })])
    for (const secret of ['ada', 'cret', btoa('ada:se@cret')]) expect(text).not.toContain(secret);
});

describe('NO_PROXY', () => {
  test.each([
    ['*', 'https://push.example.com'],
    ['push.example.com', 'https://push.example.com'],
    ['example.com', 'https://push.example.com'],
    ['.example.com', 'https://push.example.com'],
    ['*.example.com', 'https://push.example.com'],
    ['PUSH.example.COM', 'https://push.example.com'],
    ['push.example.com:8443', 'https://push.example.com:8443'],
    ['push.example.com:443', 'https://push.example.com'],
    ['other.example, example.com', 'https://push.example.com'],
    ['other.example example.com', 'https://push.example.com'],
    ['10.0.0.0/8', 'https://10.1.2.3'],
    ['10.1.2.3', 'https://10.1.2.3:8443'],
    ['fd00::/8', 'https://[fd00::1]'],
    ['::1', 'https://[::1]:8443'],
  ])('%s excepts %s', (no, url) => expect(isProxied(url, no)).toBe(false));

  test.each([
    ['ample.com', 'https://push.example.com'],
    ['push.example.com', 'https://example.com'],
    ['push.example.com:8443', 'https://push.example.com'],
    ['10.0.0.0/8', 'https://11.1.2.3'],
    ['10.0.0.0/8', 'https://push.example.com'],
    ['2.3', 'https://10.1.2.3'],
    ['', 'https://push.example.com'],
    [',', 'https://push.example.com'],
  ])('%j does not except %s', (no, url) => expect(isProxied(url, no)).toBe(true));
});
