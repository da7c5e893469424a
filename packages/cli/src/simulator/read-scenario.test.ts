import { UserError } from '@bellhop/bot-cli/command-line';
import { expect, test } from 'vitest';

import { readScenario } from './read-scenario.ts';

test.each([
  ['nope.json', 'There is no file nope.json.'],
  ['.', /^The scenario cannot be read: EISDIR/],
])('a scenario in %s is refused with the reason', async (file, reason) => {
  const reading = readScenario(file);
  await expect(reading).rejects.toThrow(UserError);
  await expect(reading).rejects.toThrow(reason);
});
