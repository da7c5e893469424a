import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { answerDialog, beginDialog, type DialogTurn } from './dialog-engine.ts';
import type { DialogState } from './dialog-state.ts';
import type { DefineDialog } from './dialog.fixture.ts';
import { dialog, type Steps } from './dialog.ts';

// After a change of the steps an answer counts only for the question that the user saw, and the dialog
// ends with exactly the answers that the new steps need.

const names = ['a', 'b', 'c', 'd', 'e'];
/** Steps in random order; those in `strict` refuse answers from before the change. */
const version = fc.record({
  names: fc.shuffledSubarray(names, { minLength: 1 }),
  strict: fc.subarray(names),
});

const define: DefineDialog<undefined, object> = dialog;

function dialogOf({ names: steps, strict }: { names: string[]; strict: string[] }, day: string) {
  const described = steps.map((name) => {
    const schema = strict.includes(name) ? z.string().endsWith(day, 'That is old.') : z.string();
    return [name, { ask: name, schema }] as const;
  });
  const named: Steps<Record<string, string>, undefined> = Object.fromEntries(described);
  return define('changing', named, (_, answers) => answers);
}

test('no answer is taken for another question after a change of the steps', async () => {
  await fc.assert(
    fc.asyncProperty(version, version, fc.nat(5), async (before, after, rounds) => {
      const [old, today] = [dialogOf({ ...before, strict: [] }, 'old'), dialogOf(after, 'today')];
      let messages = 0;
      const say = (to: typeof old, state: DialogState, reply: string) => {
        // The answer names the last question that the user saw.
        const text = `${reply.split('\n').at(-1)}:${to === old ? 'old' : 'today'}`;
        return answerDialog(to, state, {
          ctx: undefined,
          now: 0,
          messageId: String(messages++),
          text,
        });
      };
      let turn: DialogTurn = await beginDialog(old, { ctx: undefined, now: 0 });
      for (let round = 0; round < rounds; round++) {
        if (turn.kind === 'asked') turn = await say(old, turn.state, turn.reply);
      }
      if (turn.kind !== 'asked') return;
      const asked = messages;
      while (turn.kind === 'asked') {
        turn = await say(today, turn.state, turn.reply);
        expect(messages - asked).toBeLessThanOrEqual(after.names.length + 1);
      }
      if (turn.kind !== 'finished') throw new Error(`The dialog is ${turn.kind}`);
      expect(Object.keys(turn.answers).toSorted()).toEqual(after.names.toSorted());
      for (const [name, text] of Object.entries(turn.answers)) {
        expect(text).toMatch(after.strict.includes(name) ? `${name}:today` : `${name}:`);
      }
    }),
  );
});
