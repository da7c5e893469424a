import { expect, test } from 'vitest';

import { isSendKey } from './send-key.ts';

const none = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, isComposing: false };
const press = (held: object = {}, key = 'Enter') => ({ ...none, key, ...held });

test('Enter sends only if the user has chosen so, and Shift+Enter never does', () => {
  expect(isSendKey(press(), true)).toBe(true);
  expect(isSendKey(press(), false)).toBe(false);
  for (const enterSends of [true, false])
    expect(isSendKey(press({ shiftKey: true }), enterSends)).toBe(false);
});

test('Ctrl+Enter and Cmd+Enter send in any case', () => {
  for (const enterSends of [true, false])
    for (const held of [{ ctrlKey: true }, { metaKey: true }])
      expect(isSendKey(press(held), enterSends)).toBe(true);
});

test('an Enter that an input method takes, and another key, send nothing', () => {
  expect(isSendKey(press({ isComposing: true }), true)).toBe(false);
  expect(isSendKey(press({ isComposing: true, ctrlKey: true }), true)).toBe(false);
  expect(isSendKey(press({ ctrlKey: true }, 'k'), true)).toBe(false);
});
