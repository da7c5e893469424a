import { expect, test } from 'vitest';

import { differences } from './text-diff.ts';

test('JSON texts differ by path, whatever their spacing', () => {
  const before = '{"a": {"b c": [1, 2]}, "gone": null}';
  expect(differences(before, '{"a":{"b c":[1,3]},"new":"x"}')).toEqual([
    { kind: 'value', path: '$.a["b c"][1]', before: '2', after: '3' },
    { kind: 'value', path: '$.gone', before: 'null', after: '' },
    { kind: 'value', path: '$.new', before: '', after: '"x"' },
  ]);
  expect(differences('{"a":1}', '{ "a": 1 }')).toEqual([]);
});

test('other texts differ by line', () => {
  expect(differences('one\ntwo\n', 'one\n2\n')).toEqual([
    { kind: 'lines', change: 'same', text: 'one\n' },
    { kind: 'lines', change: 'removed', text: 'two\n' },
    { kind: 'lines', change: 'added', text: '2\n' },
  ]);
});
