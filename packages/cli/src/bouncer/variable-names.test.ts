import { variables } from '@bellhop/server';
import { expect, test } from 'vitest';

import { bouncerVariableNames, bouncerVariablesOfServers } from './variable-names.ts';

test('bellhop bouncer accepts the variables of a chat server that begin with BELLHOP_BOUNCER_', () => {
  const names = variables.map(({ name }) => name);
  expect([...bouncerVariableNames, ...bouncerVariablesOfServers]).toEqual(
    expect.arrayContaining(names.filter((name) => name.startsWith('BELLHOP_BOUNCER_'))),
  );
  expect(names).toEqual(expect.arrayContaining([...bouncerVariablesOfServers]));
});
