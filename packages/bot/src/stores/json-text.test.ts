import { expect, test } from 'vitest';

import { jsonText } from './json-text.ts';

class Counter {
  count = 1;
}

test.each([
  [{ since: new Date(0) }, 'value.since is a Date'],
  [{ list: [1, [new Map()]] }, 'value.list[1][0] is a Map'],
  [[undefined], 'value[0] is undefined'],
  [{ rate: Number.POSITIVE_INFINITY }, 'value.rate is Infinity'],
  [new Counter(), 'value is a Counter'],
  [{ later: () => 1 }, 'value.later is a function'],
  [{ toJSON: 1 }, 'value is a Object'],
])('jsonText(%j) throws "%s"', (value, message) => {
  expect(() => jsonText(value)).toThrow(message);
});

test('jsonText accepts one object in two places', () => {
  const shared = { a: 1 };
  expect(jsonText([shared, shared, { none: undefined }])).toBe('[{"a":1},{"a":1},{}]');
});
