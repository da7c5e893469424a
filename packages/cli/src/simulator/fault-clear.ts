import {
  defineCommand,
  optionalArgument,
  parseNumber,
  UserError,
} from '@bellhop/bot-cli/command-line';
import { z } from 'zod';

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
