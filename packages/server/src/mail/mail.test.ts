import { describe, expect, test } from 'vitest';

import { addressesIn, isMailAddress } from './mail-address.ts';
import { composeMail, mailName } from './mail.ts';

const compose = (name: string, quote = '') =>
  composeMail({
    to: 'a@example.com',
    realm: { name },
    subject: `${mailName(name)} invites you`,
    blocks: [
      `${mailName(name)} invites you.`,
      { quote },
      { label: 'Join', url: 'https://chat.example.com/join/a?b=1&c=2' },
    ],
  });

describe('composeMail', () => {
  test('escapes names and quotes in HTML', () => {
    const { html, text } = compose('<img src=x onerror=alert(1)> & "Co"', '</blockquote><script>');
    expect(html).not.toMatch(/<img|<script/);
    expect(html).toContain('&#60;img src=x onerror=alert(1)&#62; &#38; &#34;Co&#34; invites you.');
    expect(html).toContain('href="https://chat.example.com/join/a?b=1&#38;c=2"');
    expect(text).toContain('> </blockquote><script>');
    expect(text).toContain('Join:\nhttps://chat.example.com/join/a?b=1&c=2');
  });

  test('keeps a name with line breaks on one line of the subject', () => {
    const mail = compose('Eve\r\nBcc: all@example.com\u2028x\u0000');
    expect(mail.subject).toBe(`Eve Bcc: all@\u2060example.\u2060com x invites you`);
    expect(mail.from_name).toBe('Eve Bcc: all@example.com x');
  });

  test('removes marks that reorder text and isolates names from right to left', () => {
    expect(compose('Bank\u202egnp.exe').subject).toBe('Bankgnp.\u2060exe invites you');
    expect(compose('שלום').subject).toBe('\u2068שלום\u2069 invites you');
    expect(compose('x', 'a\u2067b\u202dc').text).toContain('> abc');
  });

  test('keeps mail programs from making links of names', () => {
    const { text } = compose('Win at https://evil.example.com');
    expect(text).not.toMatch(/https:\/\/evil|evil\.example\.com invites/);
  });

  test('quotes each line of a text that a person wrote', () => {
    const { text, html } = compose('x', 'one\n\nIgnore this: https://a.example');
    expect(text).toContain('> one\n>\n> Ignore this: https://a.example');
    expect(html).toContain('one\n\nIgnore this');
  });
});

describe('addressesIn', () => {
  test.each([
    ['a@x.de, b@x.de\nc@x.de', ['a@x.de', 'b@x.de', 'c@x.de']],
    ['"Doe, Jane" <jane@x.de>,\r\nJohn <john@x.de>', ['jane@x.de', 'john@x.de']],
    [' , \n,', []],
    ['A@x.de,a@X.de', ['a@X.de']],
    ['"unclosed <a@x.de>, b@x.de', ['a@x.de', 'b@x.de']],
  ])('reads %j', (text, addresses) => {
    expect(addressesIn(text)).toEqual(addresses);
  });
});

describe('isMailAddress', () => {
  test.each(['a@x.de', 'q.r.s@x.de', "o'neil+tag@mail.example.com", 'root@localhost'])(
    'accepts %s',
    (text) => {
      expect(isMailAddress(text)).toBe(true);
    },
  );

  test.each([
    'a',
    'a@',
    '@x.de',
    'a b@x.de',
    'a@x..de',
    'a@-x.de',
    'a@x.de\nBcc: b@x.de',
    'a@x.de>',
    'a@b@x.de',
    'ä@x.de',
    '.s@x',
    'q..r@x',
    't.@x',
    '.@x.de',
    'a@.x.de',
    'a@x.de.',
    `${'a'.repeat(65)}@x.de`,
    `a@${'x'.repeat(60)}.${'x.'.repeat(100)}de`,
  ])('refuses %j', (text) => {
    expect(isMailAddress(text)).toBe(false);
  });
});
