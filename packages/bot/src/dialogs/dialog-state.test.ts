import { expect, test } from 'vitest';

import { readDialogState } from './dialog-state.ts';

const state = { v: 1, dialog: 'a', step: 'b', answers: { c: 'd' }, expires_at: 5, message_id: '6' };

test('a stored dialog state is read back, with and without a message id', () => {
  expect(readDialogState(state)).toEqual(state);
  const { message_id: _, ...withoutMessage } = state;
  expect(readDialogState(withoutMessage)).toEqual(withoutMessage);
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
])('readDialogState refuses %j', (stored) => {
  expect(readDialogState(stored)).toBeUndefined();
});
