import { PushGeneration } from '@bellhop/protocol';

import { type CheckGroup, runChecks } from './check.ts';
import type { Finding, RunOptions } from './finding.ts';
import { type ProbeResponse, shown } from './send.ts';

/** The checks of one generation of the protocol. */
export interface GenerationChecks<Target> {
  readonly target: Target;
  readonly groups: readonly CheckGroup<Target>[];
  /** The answer of a service that does not have the generation; undefined of one that has it. */
  readonly missing: (target: Target) => Promise<ProbeResponse | undefined>;
}

/**
 * Runs the checks of each chosen generation that the service has. Of one that it does not have there is one
 * finding: `skipped`, or a fault if that leaves nothing to check. The `common` checks, which concern no
 * generation, run first.
 */
export async function runGenerations<Target>(
  generations: Readonly<Record<PushGeneration, GenerationChecks<Target>>>,
  { generation: chosen, ...options }: RunOptions,
  common: readonly CheckGroup<Target>[] = [],
): Promise<Finding[]> {
  const wanted = chosen === undefined ? PushGeneration.options : [chosen];
  const answers = new Map<PushGeneration, ProbeResponse>();
  for (const generation of wanted) {
    const { target, missing } = generations[generation];
    // A service that does not answer has faults, each at its check.
    const answer = await missing(target).catch(() => undefined);
    if (answer) answers.set(generation, answer);
  }
  const first = wanted.find((generation) => !answers.has(generation)) ?? wanted[0] ?? 'account';
  const findings = await runChecks(common, generations[first].target, options);
  for (const generation of wanted) {
    const { target, groups } = generations[generation];
    const answer = answers.get(generation);
    const named = groups.map(({ group, checks }) => ({
      group: `${group}, generation ${generation}`,
      checks,
    }));
    if (answer === undefined) {
      findings.push(...(await runChecks(named, target, options)));
      continue;
    }
    const finding = {
      group: `generation ${generation}`,
      check: `phones of ${levels[generation]}`,
      section: 'Which to choose',
      severity: answers.size < wanted.length ? 'skipped' : 'fault',
      happened: `${shown(answer)}: the service does not have them. --generation ${others[generation]} leaves this out`,
    } as const;
    findings.push(finding);
    options.onFinding?.(finding);
  }
  return findings;
}

const levels = { account: 'levels 406 to 467', device: 'level 468 and later' } as const;
const others = { account: 'device', device: 'account' } as const;
