import { expect, test } from 'vitest';

import { requireNode } from './require-node.ts';

test.each(['20.20.2', '22.17.9'])(
  'start() refuses Node %s with one line that says what to do',
  (version) => {
    expect(() => requireNode(version)).toThrow(
      new RegExp(
        `^@bellhop/bot needs Node 22.18 or newer, and this is ${version}: install Node 24.$`,
      ),
    );
  },
);

test.each(['22.18.0', '24.0.0', process.versions.node])('start() accepts Node %s', (version) => {
  expect(() => requireNode(version)).not.toThrow();
});
