import fc from 'fast-check';
import { expect, test } from 'vitest';

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

/** For each type a value and a text that means it. */
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
    .record({ full_name: name, user_id: fc.nat() })
    .map((value) => ({ value, typed: `@**${value.full_name}|${value.user_id}**` })),
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
  const started = performance.now();
  allKinds.parse(line);
  allKinds.parse(`1 a ${line}`);
  dateList.parse(line);
  expect(performance.now() - started).toBeLessThan(3000);
});
