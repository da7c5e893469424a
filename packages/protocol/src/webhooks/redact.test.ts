import { expect, test } from 'vitest';

import { redact } from './redact.ts';

test('a kept response body is truncated and has no secrets and control characters', () => {
  const kept = redact('a\0b T0ken \u001b[31m\n\u{1f600}', ['T0ken']);
  expect(kept).toBe('a\ufffdb [redacted] \ufffd[31m\n\u{1f600}');
  expect(redact('x'.repeat(70_000), [])).toHaveLength(16_384);
});
