import { bouncerOperator } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { summaries } from './operator-tree.ts';

test("each operation of the operator's contract is a command, with its summary", () => {
  const { session: _session, ...resources } = bouncerOperator;
  const contract = Object.fromEntries(
    Object.entries(resources).map(([resource, operations]) => [
      resource,
      Object.fromEntries(Object.entries(operations).map(([name, { summary }]) => [name, summary])),
    ]),
  );
  expect(summaries).toEqual(contract);
});
