import fc from 'fast-check';
import { expect, test } from 'vitest';

import { cpuMs } from '../cpu-ms.fixture.ts';
import { argumentReader } from './argument-reader.ts';
import { defineCommand } from './command.fixture.ts';
import { readUsage } from './read-usage.ts';

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

interface Sample {
  readonly value: unknown;
  readonly typed: string;
}

const text = fc.string({ unit: 'grapheme' }).map((value) => ({ value, typed: quoted(value) }));
const name = fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,12}[A-Za-z]$/);

/** For each type a value and a text that is read into it. */
const samples = {
  string: text,
  int: fc.maxSafeInteger().map((value) => ({ value: value + 0, typed: String(value) })),
  number: fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => ({ value: value + 0, typed: String(value + 0) })),
  boolean: fc.boolean().map((value) => ({ value, typed: value ? 'yes' : 'off' })),
  url: fc.webUrl().map((url) => ({ value: new URL(url), typed: `<${url}>` })),
  email: fc.emailAddress({ size: 'small' }).map((value) => ({ value, typed: quoted(value) })),
  date: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((value) => ({ value, typed: value.toISOString() })),
  duration: fc.nat().map((value) => ({ value, typed: `${value}ms` })),
  user: fc
    .record({ fullName: name, id: fc.nat() })
    .map((value) => ({ value, typed: `@**${value.fullName}|${value.id}**` })),
  channel: name.map((value) => ({ value: { name: value }, typed: `#**${value}**` })),
  'a|b|c': fc.constantFrom('a', 'b', 'c').map((value) => ({ value, typed: value.toUpperCase() })),
} satisfies Record<string, fc.Arbitrary<Sample>>;

const anySample = fc.constantFrom(...Object.keys(samples)).chain((type) => {
  const [, sample] = Object.entries(samples).find(([key]) => key === type) ?? [];
  return fc.record({ type: fc.constant(type), sample: sample ?? text });
});

test('a line that follows its usage is read into the values it was made of', () => {
  const declarations = fc.array(
    fc.record({ argument: anySample, kind: fc.constantFrom('word', 'flag', 'equals') }),
  );
  fc.assert(
    fc.property(declarations, fc.option(text, { nil: undefined }), (declared, note) => {
      const usage = ['run'];
      const line: string[] = [];
      const values: Record<string, unknown> = {};
      declared.forEach(({ argument: { type, sample }, kind }, index) => {
        const key = `p${index}`;
        usage.push(kind === 'word' ? `<${key}:${type}>` : `--${key}:${type}`);
        values[key] = sample.value;
        if (kind === 'word') line.push(sample.typed);
        else if (type === 'boolean' || kind === 'equals') line.push(`--${key}=${sample.typed}`);
        else line.push(`—${key} ${sample.typed}`);
      });
      usage.push('[note...]');
      values.note = note?.value;
      if (note !== undefined) line.push(note.typed);
      const read = argumentReader(readUsage(usage.join(' ')));
      expect(read(line.join(' '))).toEqual({ ok: true, values });
    }),
    { numRuns: 300 },
  );
});

test('list flags and list arguments are read into all their values in order', () => {
  const read = argumentReader(readUsage('run --label:string... [items:string...]'));
  fc.assert(
    fc.property(fc.array(text), fc.array(text), (label, items) => {
      const words = [
        ...label.map((one) => `--label=${one.typed}`),
        ...items.map((one) => one.typed),
      ];
      expect(read(words.join('\n'))).toEqual({
        ok: true,
        values: { label: label.map((one) => one.value), items: items.map((one) => one.value) },
      });
    }),
  );
});

const allKinds = defineCommand(
  'run <a:int> [b:a|b=a] [--c/-c:url] [--d:string...] [--e] <--f:user> [rest...]',
);
const dateList = defineCommand('run [when:date...]');

test('any text is read into values or an error with carets under a line of it', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...'"\'`“”—–- \n=\\@*#[]()<>|'.split('')),
    fc.constantFrom('1', 'a', '--c', '--d', '-c', '--e', '--f', '--', '@**Ann|1**', '2030-01-01'),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.constantFrom('', ' '), (pieces, between) => {
      for (const command of [allKinds, dateList]) {
        const parsed = command.parse(pieces.join(between));
        if (parsed.ok) continue;
        const [reason, fence = '', line, carets] = parsed.error.markdown.split('\n');
        expect(reason).toBe(parsed.error.reason);
        expect(fence).toMatch(/^`{3,}text$/);
        expect(line).not.toContain(fence.replace('text', ''));
        expect(carets).toMatch(/^ *\^+$/);
      }
    }),
    { numRuns: 1000 },
  );
});

test.each([
  'a ',
  '"',
  '" ',
  '-',
  '--c ',
  '--x ',
  '—',
  '1 ',
  '`a ',
  "'",
  '@**',
  '[a](',
  '\\"',
  '<',
  '\n',
  '🚀',
])('parsing 50 KB of %j three times takes less than 3 s', (piece) => {
  const line = piece.repeat(50_000 / piece.length);
  const taken = cpuMs(() => {
    allKinds.parse(line);
    allKinds.parse(`1 a ${line}`);
    dateList.parse(line);
  });
  expect(taken).toBeLessThan(3000);
});

test.each([
  ['in 10 minutes to call Ann', { wait: 600_000, text: 'to call Ann' }],
  ['in 10m to call Ann', { wait: 600_000, text: 'to call Ann' }],
  ['in 1 hour and 5 minutes and not later', { wait: 3_900_000, text: 'and not later' }],
  ['in an hour 5 apples', { wait: 3_600_000, text: '5 apples' }],
  ['in "2 hours" 5 minutes of silence', { wait: 7_200_000, text: '5 minutes of silence' }],
])('a duration takes the words that belong to it: remind %s', (typed, values) => {
  const read = argumentReader(readUsage('remind in <wait:duration> <text...>'));
  expect(read(typed.slice(3))).toEqual({ ok: true, values });
});

test('a duration of several words ends before a flag, and a wrong one is named by its first word', () => {
  const read = argumentReader(readUsage('wait <for:duration> [--loud]'));
  expect(read('2 --loud hours')).toMatchObject({
    ok: false,
    fault: { span: { start: 0, end: 1 } },
  });
  expect(read('2 hours --loud')).toEqual({ ok: true, values: { for: 7_200_000, loud: true } });
  expect(read('2 parsecs')).toMatchObject({
    fault: { reason: expect.stringContaining('not `2`'), span: { start: 0, end: 1 } },
  });
});

test('a duration leaves a word for each required argument, and is one word before another one', () => {
  const range = argumentReader(readUsage('between <from:duration> <to:duration>'));
  expect(range('1h 2h')).toEqual({ ok: true, values: { from: 3_600_000, to: 7_200_000 } });
  const book = argumentReader(readUsage('book <for:duration> <what>'));
  expect(book('1h 30m')).toEqual({ ok: true, values: { for: 3_600_000, what: '30m' } });
  expect(book('1 hour room')).toEqual({ ok: true, values: { for: 3_600_000, what: 'room' } });
});

test('a custom type may take several words', () => {
  const floor = {
    expects: 'a floor',
    maxWords: 3,
    read: (text: string) => /^floor \d+$/.exec(text)?.[0],
  };
  const read = argumentReader(readUsage('go <to:floor> [who]', { floor }));
  expect(read('floor 7 Ann')).toEqual({ ok: true, values: { to: 'floor 7', who: 'Ann' } });
});
