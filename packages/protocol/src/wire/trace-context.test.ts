import { expect, test } from 'vitest';

import { continueTrace, newTraceparent, traceIdOf } from './trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

test.each(['00', '01'])('continueTrace keeps trace and flags %s with a new span', (flags) => {
  const continued = continueTrace(`00-${traceId}-00f067aa0ba902b7-${flags}`);
  expect(continued).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-${flags}$`));
  expect(continued).not.toContain('00f067aa0ba902b7');
  expect(traceIdOf(continued)).toBe(traceId);
});

test('continueTrace reads a header of a later version', () => {
  const header = `01-${traceId}-00f067aa0ba902b7-01-more`;
  expect(traceIdOf(continueTrace(header))).toBe(traceId);
});

test.each([
  undefined,
  '',
  'nonsense',
  `ff-${traceId}-00f067aa0ba902b7-01`,
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`,
])('continueTrace begins a new trace instead of %s', (header) => {
  const [one, other] = [continueTrace(header), continueTrace(header)];
  expect(one).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(traceIdOf(one)).not.toBe(traceIdOf(other));
});

test('newTraceparent takes the ID of a trace', () => {
  expect(traceIdOf(newTraceparent(traceId))).toBe(traceId);
});
