import {
  defineCommand,
  optionalArgument,
  proposeFiles,
  switchFlag,
} from '@bellhop/bot-cli/command-line';
import { z } from 'zod';

import { requireSimulator, simulatorFlags } from './control-client.ts';
import { readScenario } from './read-scenario.ts';

const Status = z.object({
  scenario: z
    .object({ name: z.string(), done: z.int(), steps: z.int(), running: z.boolean() })
    .nullable(),
});

export const play = defineCommand({
  description: `Without a file it prints how far the scenario is. Examples: packages/push-simulator/scenarios.

A step waits for "after_requests" (of all providers, or of one: "of") or "after_seconds", then acts:
"set" (a list of faults, as POST /faults of the control API takes them), "clear", "uninstall" and
"offline" (a number of phones), "online", "clock_seconds". "repeat" plays the steps several times.`,
  flags: {
    ...simulatorFlags,
    stop: switchFlag('End the scenario, switch all faults off and set the clock right'),
  },
  args: [
    {
      ...optionalArgument('file', 'The file of the scenario'),
      proposeCompletions: proposeFiles('.json'),
    },
  ],
  async run({ stop, ...flags }, file) {
    const body = file === undefined ? undefined : await readScenario(file);
    const simulator = await requireSimulator(flags);
    if (stop) {
      await simulator.call('DELETE', '/scenario');
      return;
    }
    const answer = await simulator.call(body ? 'POST' : 'GET', '/scenario', { body });
    const { scenario } = Status.parse(answer);
    if (scenario === null) console.log('No scenario has played.');
    else
      console.log(
        `"${scenario.name}": ${scenario.done} of ${scenario.steps} steps${scenario.running ? '' : ', ended'}.`,
      );
  },
});
