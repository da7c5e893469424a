import { variables } from '@bellhop/server';
import { expect, test } from 'vitest';

import { bouncerVariableNames, bouncerVariablesOfServers } from './variable-names.ts';

test('bellhop bouncer knows every variable of a server that begins as its own', () => {
  const names = variables.map(({ name }) => name);
  expect([...bouncerVariableNames, ...bouncerVariablesOfServers]).toEqual(
    expect.arrayContaining(names.filter((name) => name.startsWith('BELLHOP_BOUNCER_'))),
  );
  expect(names).toEqual(expect.arrayContaining([...bouncerVariablesOfServers]));
});
