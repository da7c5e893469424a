import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

import { memoryStore } from '../stores/memory-store.ts';
import type { DefineDialog } from './dialog.fixture.ts';
import { dialog } from './dialog.ts';
import { dialogs } from './dialogs.ts';

interface UserContext {
  readonly name: string;
}
const define: DefineDialog<UserContext, string> = dialog;
const schema = z.string();

test.each<[string, Record<string, { ask: string; schema: typeof schema }>]>([
  ['', { a: { ask: 'A?', schema } }],
  ['empty', {}],
  ['numbers', { 1: { ask: 'A?', schema } }],
  ['blank', { 'a b': { ask: 'A?', schema } }],
])('dialog() throws on the malformed dialog "%s"', (name, steps) => {
  expect(() => define(name, steps, () => '')).toThrow(
    expect.objectContaining({ code: 'config_invalid' }),
  );
});

test('dialog() throws on an expiry of 0', () => {
  expect(() => define('a', { a: { ask: '', schema } }, () => '', { timeoutMs: 0 })).toThrow(
    'timeoutMs of the dialog "a" must be above 0',
  );
});

test('answers have the types of their schemas, and answers to steps with skip are optional', () => {
  define(
    'feedback',
    {
      score: { ask: 'Score from 1 to 5?', schema: z.coerce.number().int().min(1).max(5) },
      when: {
        ask: (answers, ctx) => {
          expectTypeOf(ctx).toEqualTypeOf<UserContext>();
          expectTypeOf(answers.score).toEqualTypeOf<number | undefined>();
          // @ts-expect-error: no step has this name
          return `${ctx.name}, ${answers.scores}?`;
        },
        schema: z.string().transform((text) => new Date(text)),
      },
      why: {
        ask: ({ score, when }) => {
          expectTypeOf(when).toEqualTypeOf<Date | undefined>();
          return `Why ${score}?`;
        },
        schema: z.enum(['slow', 'dear']),
        skip: ({ score }) => {
          expectTypeOf(score).toEqualTypeOf<number | undefined>();
          return score === 5;
        },
      },
    },
    (ctx, answers) => {
      expectTypeOf(ctx).toEqualTypeOf<UserContext>();
      expectTypeOf(answers.score).toEqualTypeOf<number>();
      expectTypeOf(answers.when).toEqualTypeOf<Date>();
      expectTypeOf(answers.why).toEqualTypeOf<'slow' | 'dear' | undefined>();
      expectTypeOf<keyof typeof answers>().toEqualTypeOf<'score' | 'when' | 'why'>();
      return 'Thank you.';
    },
  );
});

test('a step without a schema and a wrong result type do not compile', () => {
  // @ts-expect-error: a step needs a schema
  define('a', { a: { ask: 'A?' } }, () => '');
  // @ts-expect-error: a question is a text
  define('a', { a: { ask: 7, schema } }, () => '');
  // @ts-expect-error: done returns what handlers of this bot return
  define('a', { a: { ask: 'A?', schema } }, () => 7);
});

test('the context of a dialog has the type that its handler declares', () => {
  const alone = dialog(
    'a',
    { a: { ask: 'A?', schema } },
    (ctx: UserContext, { a }) => ctx.name + a,
  );
  const running = dialogs<UserContext, string>({ store: memoryStore() });
  running.add(alone);
  expect(() => running.add(alone)).toThrow('The dialog "a" is already declared.');
  // @ts-expect-error: the dialog returns no number
  dialogs<UserContext, number>({ store: memoryStore() }).add(alone);
});
