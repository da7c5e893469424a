import { OutcomeKind, TokenKind } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { plotColours } from './plot-colours.ts';

test.each([
  ['outcomes', OutcomeKind.options],
  ['providers', TokenKind.options],
  ['others', ['one', 'accepted', 'two', 'three']],
])('no two %s of a plot have the same colour', (_name, labels) => {
  expect(new Set(plotColours(labels)).size).toBe(labels.length);
});
