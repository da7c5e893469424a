import { z } from 'zod';

import { defineCommand } from '../command-line/command.ts';
import { optionalArgument } from '../command-line/flags.ts';
import { parseNumber } from '../command-line/parse-flag.ts';
import { UserError } from '../command-line/user-error.ts';
import { requireSimulator, simulatorFlags } from './control-client.ts';

const Cleared = z.object({ cleared: z.boolean() });

export const faultClear = defineCommand({
  description: 'A scenario that plays goes on: "bellhop simulator play --stop" ends it.',
  flags: simulatorFlags,
  args: [
    optionalArgument(
      'number',
      'The number that "set" printed; all faults if left out',
      parseNumber,
    ),
  ],
  async run(flags, id) {
    const simulator = await requireSimulator(flags);
    const path = id === undefined ? '/faults' : `/faults/${id}`;
    const { cleared } = Cleared.parse(await simulator.call('DELETE', path));
    if (!cleared && id !== undefined) throw new UserError(`No fault ${id} is on.`);
  },
});
