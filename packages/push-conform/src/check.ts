import type { Finding, Section } from './finding.ts';

/** A check of one rule of the protocol. */
export interface Check<Target> {
  readonly check: string;
  readonly section: Section;
  /** A deviation is only a warning: the protocol leaves it open. */
  readonly isAdvice?: boolean;
  /**
   * Returns what the service did. Throws `Deviation` if the service broke the rule, `CannotCheck`
   * if the check cannot decide.
   */
  readonly run: (target: Target) => Promise<string>;
}

export interface CheckGroup<Target> {
  readonly group: string;
  readonly checks: readonly Check<Target>[];
}

/** The service did not follow the protocol. */
export class Deviation extends Error {
  override readonly name = 'Deviation';
}

/** A check lacks a precondition, such as a second account. */
export class CannotCheck extends Error {
  override readonly name = 'CannotCheck';
}

/** What a run needs of its caller before the first check. */
export type Need = 'simulator' | 'simulator token' | 'service' | 'user' | 'sender' | 'org';

/** Nothing can be checked: the address or the login of a party is wrong. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
  readonly need: Need;

  constructor(need: Need, message: string, options?: ErrorOptions) {
    super(message, options);
    this.need = need;
  }
}

/**
 * Runs a part of a check until it passes, three times at most. For rules about dead devices: a bouncer
 * may doubt that a device is dead until the provider has accepted a notification for another one.
 */
export async function withDoubts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let left = 2; ; left--) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Deviation) || left === 0) throw error;
    }
  }
}

/** Runs all checks one after the other. Rejects only with the reason of `signal`. */
export async function runChecks<Target>(
  groups: readonly CheckGroup<Target>[],
  target: Target,
  { onFinding, signal }: { onFinding?: (finding: Finding) => void; signal?: AbortSignal },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { group, checks } of groups)
    for (const check of checks) {
      signal?.throwIfAborted();
      const finding = { group, ...(await resultOf(check, target)) };
      findings.push(finding);
      onFinding?.(finding);
    }
  return findings;
}

async function resultOf<Target>(
  { check, section, isAdvice, run }: Check<Target>,
  target: Target,
): Promise<Omit<Finding, 'group'>> {
  try {
    return { check, section, severity: 'ok', happened: await run(target) };
  } catch (error) {
    const happened = error instanceof Error ? error.message : String(error);
    if (error instanceof CannotCheck) return { check, section, severity: 'skipped', happened };
    return { check, section, severity: isAdvice ? 'warning' : 'fault', happened };
  }
}
