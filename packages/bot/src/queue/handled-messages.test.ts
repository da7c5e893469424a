import { MessageId } from '@bellhop/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { handledFrom, type HandledMessages, handledSince } from './handled-messages.ts';

const id = (number: number) => MessageId.parse(number);
const restarted = (handled: HandledMessages) => {
  const again = handledFrom(JSON.parse(JSON.stringify(handled.snapshot())));
  if (!again) throw new Error('not a snapshot');
  return again;
};

test('a message begins once, also after a restart', () => {
  const handled = handledSince(1000);
  expect(handled.begin(id(1001))).toBe(true);
  expect(handled.begin(id(1001))).toBe(false);
  handled.finish(id(1001));
  expect(handled.begin(id(1001))).toBe(false);
  expect(restarted(handled).begin(id(1001))).toBe(false);
});

test('an unfinished message begins again after a restart', () => {
  const handled = handledSince(0);
  handled.caughtUp();
  handled.begin(id(5));
  for (let next = 6; next < 2000; next++) {
    handled.begin(id(next));
    handled.finish(id(next));
  }
  const again = restarted(handled);
  expect(again.anchor()).toBe(4);
  expect(again.begin(id(5))).toBe(true);
  expect(again.begin(id(6))).toBe(false);
});

test('a message that appears after a later one begins, a message from before the bot does not', () => {
  const handled = handledSince(1000);
  handled.caughtUp();
  handled.begin(id(1300));
  handled.finish(id(1300));
  expect(handled.anchor()).toBe(1100);
  const young = handledSince(1000);
  young.begin(id(1001));
  young.finish(id(1001));
  expect(young.anchor()).toBe(1000);
  expect(handledSince(-1).anchor()).toBe(0);
});

test('an interrupted catch-up starts again at its first message', () => {
  const handled = handledSince(0);
  handled.begin(id(10));
  handled.finish(id(10));
  const catching = restarted(handled);
  catching.begin(id(900));
  catching.finish(id(900));
  expect(restarted(catching).anchor()).toBe(0);
  catching.caughtUp();
  expect(restarted(catching).anchor()).toBe(700);
});

test('full() is true when too many messages are unfinished', () => {
  const handled = handledSince(0);
  for (let next = 1; next <= 100; next++) {
    expect(handled.full()).toBe(false);
    handled.begin(id(next));
  }
  expect(handled.full()).toBe(true);
  handled.finish(id(50));
  expect(handled.full()).toBe(false);
});

test.each([
  [undefined],
  [null],
  [3],
  [[]],
  [{ last: 3 }],
  [{ floor: 1, last: 3, from: 1, done: 4 }],
])('no snapshot: %j', (value) => expect(handledFrom(value)).toBeUndefined());

test('with restarts at any point each message is finished once', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('begin', 'finish', 'restart'), fc.nat(8)), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, (list) => {
      let handled = handledSince(0);
      let begun: number[] = [];
      const finished: number[] = [];
      for (const [step, number] of list) {
        const message = (number + 1) * 150;
        if (step === 'begin') {
          // As a catch-up does: only what is after the anchor.
          if (message > handled.anchor() && handled.begin(id(message))) begun.push(message);
        } else if (step === 'finish') {
          const [one, ...others] = begun;
          if (one === undefined) continue;
          handled.finish(id(one));
          finished.push(one);
          begun = others;
        } else {
          handled = restarted(handled);
          begun = [];
        }
      }
      expect(new Set(finished).size).toBe(finished.length);
    }),
  );
});
