import { z } from 'zod';

import { FaultRule } from './faults.ts';

const Seconds = z.number().min(0).max(86_400);
const Count = z.int().min(1).max(1_000_000);

const Step = z
  .strictObject({
    /** Wait for this many requests to the providers since the last step. */
    after_requests: Count.optional(),
    /** Count only requests to this provider. */
    of: FaultRule.shape.provider.optional(),
    /** Wait this long since the last step. */
    after_seconds: Seconds.optional(),
    /** Switch faults on. */
    set: z.array(FaultRule).min(1).max(100).optional(),
    /** Switch off every fault that is on. */
    clear: z.literal(true).optional(),
    /** Remove the app from this many phones that have it, the oldest first. */
    uninstall: Count.optional(),
    /** Take this many phones offline, the oldest first. */
    offline: Count.optional(),
    /** Take all phones online. */
    online: z.literal(true).optional(),
    /** Shift the clock of the providers to so many seconds ahead (negative: behind) of the machine's. */
    clock_seconds: z.int().min(-31_536_000).max(31_536_000).optional(),
  })
  .refine((step) => step.of === undefined || step.after_requests !== undefined, {
    path: ['of'],
    error: 'only counts requests: add after_requests',
  })
  .refine((step) => step.after_requests === undefined || step.after_seconds === undefined, {
    path: ['after_seconds'],
    error: 'cannot stand beside after_requests: use two steps',
  })
  .refine((step) => actions.some((action) => step[action] !== undefined), {
    error: () => `does nothing: add one of ${actions.join(', ')}`,
  });
const actions = ['set', 'clear', 'uninstall', 'offline', 'online', 'clock_seconds'] as const;

/** Faults that come and go by themselves, as in the file of `bellhop simulator --scenario`. */
export const Scenario = z.strictObject({
  /** Ignored: editors use it. */
  $schema: z.string().optional(),
  name: z.string().min(1).max(100),
  description: z.string().max(1000).optional(),
  /** How often the steps run; once by default. */
  repeat: Count.optional(),
  steps: z.array(Step).min(1).max(1000),
});
export type Scenario = z.infer<typeof Scenario>;
export type ScenarioStep = z.infer<typeof Step>;

/** An invalid scenario file. Each line of the message names a place and its fault. */
export class BadScenario extends Error {
  override readonly name = 'BadScenario';
}

/** Reads the text of a scenario file. Throws `BadScenario`; `name` stands in front of each fault. */
export function parseScenario(text: string, name: string): Scenario {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BadScenario(`${name} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  const scenario = Scenario.safeParse(value);
  if (scenario.success) return scenario.data;
  const faults = scenario.error.issues.map(
    ({ path, message }) => `${name}: ${placeOf(path)}${message}`,
  );
  throw new BadScenario(faults.join('\n'));
}

function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return '';
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  return `${place.join('').replace(/^\./, '')}: `;
}
