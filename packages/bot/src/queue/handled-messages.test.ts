import { MessageId } from '@bellhop/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  type HandledMessages,
  handledMessagesSince,
  restoreHandledMessages,
} from './handled-messages.ts';

const id = (number: number) => MessageId.parse(number);
const afterRestart = (handled: HandledMessages) => {
  const restored = restoreHandledMessages(JSON.parse(JSON.stringify(handled.snapshot())));
  if (!restored) throw new Error('not a snapshot');
  return restored;
};

test('begin() accepts a message once, also after a restart', () => {
  const handled = handledMessagesSince(1000);
  expect(handled.begin(id(1001))).toBe(true);
  expect(handled.begin(id(1001))).toBe(false);
  handled.finish(id(1001));
  expect(handled.begin(id(1001))).toBe(false);
  expect(afterRestart(handled).begin(id(1001))).toBe(false);
});

test('begin() accepts an unfinished message again after a restart', () => {
  const handled = handledMessagesSince(0);
  handled.caughtUp();
  handled.begin(id(5));
  for (let next = 6; next < 2000; next++) {
    handled.begin(id(next));
    handled.finish(id(next));
  }
  const restored = afterRestart(handled);
  expect(restored.anchor()).toBe(4);
  expect(restored.begin(id(5))).toBe(true);
  expect(restored.begin(id(6))).toBe(false);
});

test('the anchor is 200 IDs below the last handled message, but not below the start of the bot', () => {
  const handled = handledMessagesSince(1000);
  handled.caughtUp();
  handled.begin(id(1300));
  handled.finish(id(1300));
  expect(handled.anchor()).toBe(1100);
  const fresh = handledMessagesSince(1000);
  fresh.begin(id(1001));
  fresh.finish(id(1001));
  expect(fresh.anchor()).toBe(1000);
  expect(handledMessagesSince(-1).anchor()).toBe(0);
});

test('a restart before caughtUp() leaves the anchor at the start of the gap', () => {
  const handled = handledMessagesSince(0);
  handled.begin(id(10));
  handled.finish(id(10));
  const restored = afterRestart(handled);
  restored.begin(id(900));
  restored.finish(id(900));
  expect(afterRestart(restored).anchor()).toBe(0);
  restored.caughtUp();
  expect(afterRestart(restored).anchor()).toBe(700);
});

test('full() is true while 100 messages are unfinished', () => {
  const handled = handledMessagesSince(0);
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
])('restoreHandledMessages returns undefined for %j', (value) =>
  expect(restoreHandledMessages(value)).toBeUndefined(),
);

test('with restarts at any point each message is finished once', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('begin', 'finish', 'restart'), fc.nat(8)), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, (list) => {
      let handled = handledMessagesSince(0);
      let begun: number[] = [];
      const finished: number[] = [];
      for (const [step, number] of list) {
        const message = (number + 1) * 150;
        if (step === 'begin') {
          // A fetch after a gap returns only messages above the anchor.
          if (message > handled.anchor() && handled.begin(id(message))) begun.push(message);
        } else if (step === 'finish') {
          const [one, ...others] = begun;
          if (one === undefined) continue;
          handled.finish(id(one));
          finished.push(one);
          begun = others;
        } else {
          handled = afterRestart(handled);
          begun = [];
        }
      }
      expect(new Set(finished).size).toBe(finished.length);
    }),
  );
});
