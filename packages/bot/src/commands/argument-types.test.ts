import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';

import { cpuMs } from '../cpu-ms.fixture.ts';
import type { MentionedChannel, MentionedUser } from '../mentions.ts';
import { argumentTypes, type BuiltInValues } from './argument-types.ts';

const address = 'https://example.com/a?b=c';
const ann = (fullName: string, id?: number) => ({ fullName, id });

test.each([
  ['string', 'Ann', 'Ann'],
  ['string', '', ''],
  ['int', '3', 3],
  ['int', '-3', -3],
  ['int', '+3', 3],
  ['int', '9007199254740993', undefined],
  ['int', '3.5', undefined],
  ['int', '0x10', undefined],
  ['int', '', undefined],
  ['number', '2.5', 2.5],
  ['number', '-.5', -0.5],
  ['number', '1e3', 1000],
  ['number', '1e999', undefined],
  ['number', 'Infinity', undefined],
  ['boolean', 'YES', true],
  ['boolean', 'off', false],
  ['boolean', 'constructor', undefined],
  ['url', address, new URL(address)],
  ['url', `<${address}>`, new URL(address)],
  ['url', `[a page](${address})`, new URL(address)],
  ['url', 'example.com', undefined],
  ['url', 'file:///etc/passwd', undefined],
  ['url', 'javascript:alert(1)', undefined],
  ['email', 'ann@example.com', 'ann@example.com'],
  ['email', '<ann@example.com>', 'ann@example.com'],
  ['email', '[ann@example.com](mailto:ann@example.com)', 'ann@example.com'],
  ['email', 'ann.lee@example.com', 'ann.lee@example.com'],
  ['email', '.ann@example.com', undefined],
  ['email', 'ann..lee@example.com', undefined],
  ['email', 'ann.@example.com', undefined],
  ['email', 'ann@example', undefined],
  ['email', 'ann@exa@mple.com', undefined],
  ['date', '2028-02-29', new Date('2028-02-29T00:00Z')],
  ['date', '2027-02-29', undefined],
  ['date', '2027-1-1', undefined],
  ['date', '2027-01-31 10:30', new Date('2027-01-31T10:30Z')],
  ['date', '2027-01-31T23:30:15+02:00', new Date('2027-01-31T21:30:15Z')],
  ['date', '<time:2027-01-31T10:30:00Z>', new Date('2027-01-31T10:30Z')],
  ['date', '2027-01-31T25:00', undefined],
  ['date', '2027-01-31T24:00', undefined],
  ['date', '0000-06-01', undefined],
  ['date', '9999-12-31T23:00-02:00', undefined],
  ['duration', '10m', 600_000],
  ['duration', '1h30m', 5_400_000],
  ['duration', '2 hours', 7_200_000],
  ['duration', '1.5d', 129_600_000],
  ['duration', 'an hour', 3_600_000],
  ['duration', '1 hour and 5 minutes', 3_900_000],
  ['duration', '2 days, 1 h', 176_400_000],
  ['duration', '5 minutes and', undefined],
  ['duration', 'a', undefined],
  ['duration', 'hour', undefined],
  ['duration', '250ms', 250],
  ['duration', '10', undefined],
  ['duration', '10 parsecs', undefined],
  ['duration', '', undefined],
  ['duration', `${'9'.repeat(400)}h`, undefined],
  ['user', '@**Ann Lee**', ann('Ann Lee')],
  ['user', '@**Ann Lee|12**', ann('Ann Lee', 12)],
  ['user', '@_**Ann Lee|12**', ann('Ann Lee', 12)],
  ['user', '@**|12**', ann('', 12)],
  ['user', '@**all**', undefined],
  ['user', '@**all|12**', ann('all', 12)],
  ['user', 'Ann', undefined],
  ['channel', '#**the channel**', { name: 'the channel' }],
  ['channel', '#general', { name: 'general' }],
  ['channel', '#**general>a topic**', undefined],
  ['channel', 'general', undefined],
] satisfies [keyof BuiltInValues, string, unknown][])(
  'type %s reads %j as %j',
  (type, text, value) => {
    expect(argumentTypes[type].read(text)).toEqual(value);
  },
);

test('no built-in type throws for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const type of Object.values(argumentTypes)) type.read(text);
    }),
  );
});

test.each(['1', '1e', 'a@b.', 'a.', '@**', '1h', '9 ', '[', '<a', '#', '2030-'])(
  'all built-in types together read 50 KB of %j in less than 1.5 s',
  (piece) => {
    const text = piece.repeat(50_000 / piece.length);
    const taken = cpuMs(() => {
      for (const type of Object.values(argumentTypes)) type.read(text);
    });
    expect(taken).toBeLessThan(1500);
  },
);

test('BuiltInValues maps each type name to the type of its values', () => {
  expectTypeOf<BuiltInValues>().toEqualTypeOf<{
    string: string;
    int: number;
    number: number;
    boolean: boolean;
    url: URL;
    email: string;
    date: Date;
    duration: number;
    user: MentionedUser;
    channel: MentionedChannel;
  }>();
});
