import { expect, test } from 'vitest';
import { z } from 'zod';

import { checkWith, type StandardSchema } from '../sessions/standard-schema.ts';
import { wantedBy } from './wrong-answer.ts';

async function wanted(schema: StandardSchema, answer: string): Promise<string> {
  const { issues = [] } = await checkWith(schema, answer);
  return wantedBy(issues);
}

test.each([
  [z.coerce.number(), 'many', 'Please answer with a number, such as `2.5`.'],
  [z.coerce.number().int(), '1.5', 'Please answer with a whole number, such as `3`.'],
  [z.coerce.number().min(1), '0', 'Please answer with a number of at least 1.'],
  [z.coerce.number().lt(5), '9', 'Please answer with a number of less than 5.'],
  [z.coerce.number().multipleOf(5), '9', 'Please answer with a multiple of 5.'],
  [z.string().min(1), '', 'Please answer with a text of at least 1 character.'],
  [z.string().max(3), 'long', 'Please answer with a text of at most 3 characters.'],
  [z.email(), 'ann', 'Please answer with an e-mail address, such as `ann@example.com`.'],
  [z.enum(['low', 'mid', 'high']), 'x', 'Please answer with `low`, `mid` or `high`.'],
  [z.coerce.date(), 'soon', 'Please answer with a date, such as `2030-12-31`.'],
  [
    z.coerce.date().min(new Date('2030-01-02')),
    '2020-01-01',
    'Please answer with a date from `2030-01-02`.',
  ],
  [z.string().regex(/^\d+$/), 'x', 'I cannot use that answer.'],
  [z.string().regex(/^\d+$/, 'Digits only, please.'), 'x', 'Digits only, please.'],
])(
  'the reply to an answer that a zod schema refuses describes the expected answer: %#',
  async (...row) => {
    const [schema, answer, text] = row;
    expect(await wanted(schema, answer)).toBe(text);
  },
);

test('no message that zod writes for developers reaches a person', async () => {
  const schemas = [z.uuid(), z.ipv4(), z.url(), z.iso.date(), z.literal('x'), z.json(), z.cuid()];
  for (const schema of [...schemas, z.coerce.bigint(), z.stringbool(), z.string().startsWith('a')])
    expect(await wanted(schema, '?{')).not.toMatch(/Invalid|expected|received/i);
});
