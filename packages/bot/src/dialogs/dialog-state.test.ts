import { expect, test } from 'vitest';

import { readDialogState } from './dialog-state.ts';

const state = { v: 1, dialog: 'a', step: 'b', answers: { c: 'd' }, expires_at: 5, by: '6' };

test('a stored dialog state is read back, with and without a message', () => {
  expect(readDialogState(state)).toEqual(state);
  const { by: _, ...nameless } = state;
  expect(readDialogState(nameless)).toEqual(nameless);
  expect(readDialogState({ ...state, step: null })).toMatchObject({ step: null });
});

test('answers that are not texts are dropped from a stored state', () => {
  expect(readDialogState({ ...state, answers: { c: 'd', e: 1, f: null } })).toEqual(state);
});

test.each([
  null,
  'text',
  [],
  {},
  { ...state, v: 2 },
  { ...state, dialog: 1 },
  { ...state, step: 1 },
  { ...state, answers: ['x'] },
  { ...state, expires_at: 'soon' },
])('%j is no state', (stored) => {
  expect(readDialogState(stored)).toBeUndefined();
});
