import { describe, expect, test } from 'vitest';

import { addressPolicy } from './address-policy.ts';
import { checkUrl } from './check-url.ts';
import {
  forbiddenAddresses,
  forbiddenSpellings,
  publicAddresses,
} from './forbidden-addresses.fixture.ts';
import { OutboundError } from './outbound-error.ts';

const policy = addressPolicy([]);

function failureOf(url: string, allow: string[] = []): string {
  try {
    checkUrl(url, addressPolicy(allow));
    return 'none';
  } catch (error) {
    return error instanceof OutboundError ? error.fault : `another error: ${String(error)}`;
  }
}

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address);

describe('addresses', () => {
  test('the fixture has enough addresses', () => {
    expect(new Set(forbiddenAddresses).size).toBeGreaterThanOrEqual(57);
  });

  test.each(forbiddenAddresses)('%s is forbidden', (address) => {
    expect(policy.permits(address)).toBe(false);
    expect(failureOf(`http://${inUrl(address)}/`)).toBe('address_forbidden');
    expect(failureOf(`https://${inUrl(address)}:8443/a?b`)).toBe('address_forbidden');
  });

  test.each(publicAddresses)('%s is permitted', (address) => {
    expect(policy.permits(address)).toBe(true);
    expect(failureOf(`http://${inUrl(address)}/`)).toBe('none');
  });

  test.each(['', 'localhost', '0x7f.1', '127.1', 'fe80::1%eth0', '8.8.8.8.', '08.8.8.8', '[::1]'])(
    '%j is no address',
    (text) => expect(policy.permits(text)).toBe(false),
  );
});

describe('allowed ranges', () => {
  const allow = ['127.0.0.0/8', 'fd00::/8', '10.1.2.3'];

  test.each(['127.0.0.1', '::ffff:127.9.9.9', 'fd00::1', '10.1.2.3', '8.8.8.8'])('%s', (address) =>
    expect(addressPolicy(allow).permits(address)).toBe(true),
  );
  test.each(['10.1.2.4', '::1', 'fe80::1', '64:ff9b::127.0.0.1'])('%s stays forbidden', (address) =>
    expect(addressPolicy(allow).permits(address)).toBe(false),
  );
  test('an allowed loopback range permits localhost', () => {
    expect(failureOf('http://localhost:8080/', allow)).toBe('none');
    expect(failureOf('http://localhost:8080/')).toBe('address_forbidden');
  });
  test.each(['127.0.0.1/33', 'loopback', '', '10.0.0', '1.2.3.4/'])(
    '%j is rejected as a range',
    (range) => {
      expect(() => addressPolicy([range])).toThrow(/is not a network/);
    },
  );
});

describe('URLs', () => {
  test.each(forbiddenSpellings)('%s is blocked', (host) => {
    expect(failureOf(`http://${host}/`)).toBe('address_forbidden');
  });

  test.each([
    'https://example.com/a',
    'http://example.com',
    'https://example.com:8443/',
    'https://example.com:1024/',
    'http://example.com:443/',
    'https://example.com./',
    'https://münchen.example/',
  ])('%s can be saved', (url) => expect(failureOf(url)).toBe('none'));

  test.each([
    '',
    'example.com',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,a',
    'javascript:alert(1)',
    'unix:/run/docker.sock',
    'https://user@example.com/',
    'https://:secret@example.com/',
    'https://example.com:22/',
    'https://example.com:25/',
    'https://example.com:1023/',
    'https://example.com:0/',
    'https://example.com:99999/',
    `https://example.com/${'a'.repeat(2000)}`,
    `https://${'a.'.repeat(130)}com/`,
  ])('%s cannot be saved', (url) => expect(failureOf(url)).toBe('address_forbidden'));

  test('the error text contains no address', () => {
    const check = () => checkUrl('http://10.20.30.40/', policy);
    expect(check).toThrow('The URL leads to an address that is not on the public internet.');
  });
});
