import { styleText } from 'node:util';

import { defineCommand, switchFlag } from '@bellhop/bot-cli/command-line';
import { faultKinds, FaultRule } from '@bellhop/push-simulator';
import { z } from 'zod';

import { requireSimulator, simulatorFlags } from './control-client.ts';

const Rules = z.object({ faults: z.array(FaultRule.extend({ fault_id: z.int() })) });
type Rule = z.output<typeof Rules>['faults'][number];

export const faultList = defineCommand({
  description: `Prints first the faults that are on, with the number that "bellhop simulator fault clear" takes.
Without a running simulator it prints only what there is.`,
  flags: { ...simulatorFlags, json: switchFlag('Print one line of JSON') },
  async run({ json, ...flags }) {
    const simulator = await requireSimulator(flags).catch((error: unknown) => {
      if (flags.simulator !== undefined) throw error;
    });
    const rules = simulator
      ? Rules.parse(await simulator.call('GET', '/faults')).faults
      : undefined;
    if (json) console.log(JSON.stringify({ kinds: faultKinds, on: rules ?? null }));
    else console.log(`${rulesText(rules)}\n\n${kindsText()}`);
  },
});

function rulesText(rules: readonly Rule[] | undefined): string {
  if (rules === undefined) return 'There is no running simulator here.';
  if (rules.length === 0) return 'No fault is on.';
  return `Switched on:\n${rules.map((rule) => `  ${faultText(rule)}`).join('\n')}`;
}

/** One line about a fault that is on. */
export function faultText({ fault_id, provider, fault, match, times, probability }: Rule): string {
  const limits = [
    times === undefined ? '' : `${times} more times`,
    probability === undefined ? '' : `with probability ${probability}`,
    match?.token === undefined ? '' : `for the token ${match.token}`,
  ].filter(Boolean);
  const what = typeof fault === 'string' ? fault : JSON.stringify(fault);
  return [`${fault_id}: ${provider} ${what}`, ...limits].join(', ');
}

function kindsText(): string {
  const lines = faultKinds.map(({ kind, providers, parameters, explanation }) => {
    const options = parameters.map((name) => ` --${name.replace('_', '-')}`).join('');
    const names = `${providers.length > 1 ? 'any' : providers.join()} ${kind}${options}`;
    return `  ${names.padEnd(52)} ${styleText('dim', explanation)}`;
  });
  const providers = FaultRule.shape.provider.options.join('|');
  return `bellhop simulator fault set ${providers} KIND [options]\n\n${lines.join('\n')}`;
}
