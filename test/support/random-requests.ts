import { type Endpoint, pathVariables } from '@bellhop/protocol';
import type { Sample } from '@bellhop/server/contract-fixtures';
import fc from 'fast-check';

/** A change of one parameter of a request that would succeed. */
export interface Mutation {
  /** Chooses the parameter. */
  readonly at: number;
  /** The new value; `remove` leaves the parameter out, `swap` takes the value of another one. */
  readonly to: { readonly text: string } | 'remove' | 'swap';
}

const hostile = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e400',
  '9007199254740993',
  '2147483648',
  '9'.repeat(400),
  '[]',
  '{}',
  '[[]]',
  '[1,1,1]',
  '[-1]',
  '[99999999]',
  '{"new":1,"old":1}',
  '{"new":{"direct_members":[],"direct_subgroups":[]}}',
  '{"__proto__":{"x":1}}',
  '"\\ud800"',
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  "' or 1=1 --",
  '%00',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '@**all**',
  'x'.repeat(70_000),
  `[${'['.repeat(5000)}`,
];

export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    at: fc.nat(1000),
    to: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...hostile).map((text) => ({ text })) },
      { weight: 2, arbitrary: fc.json({ maxDepth: 3 }).map((text) => ({ text })) },
      { weight: 2, arbitrary: fc.integer({ min: -3, max: 60 }).map((n) => ({ text: String(n) })) },
      { weight: 1, arbitrary: fc.bigInt().map((n) => ({ text: String(n) })) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map((text) => ({ text })) },
      { weight: 1, arbitrary: fc.constant('remove' as const) },
      { weight: 1, arbitrary: fc.constant('swap' as const) },
    ),
  }),
  { maxLength: 4 },
);

/** Applies mutations to the parameters of a request. A path variable is never removed or empty. */
export function mutate(endpoint: Endpoint, sample: Sample, changes: readonly Mutation[]): Sample {
  const inPath = new Set(pathVariables(endpoint.route));
  const names = [...Object.keys(endpoint.params.shape), ...Object.keys(endpoint.aliases)];
  const mutated: Sample = { ...sample };
  for (const { at, to } of changes) {
    const name = names[at % Math.max(names.length, 1)] ?? 'no_such_parameter';
    const others = Object.values(sample);
    const text =
      to === 'remove' ? '' : to === 'swap' ? (others[at % others.length] ?? '') : to.text;
    // Node itself refuses a longer request line.
    if (inPath.has(name))
      mutated[name] = text.replaceAll(/[./\ud800-\udfff]/g, '').slice(0, 1000) || '1';
    else if (to === 'remove') delete mutated[name];
    else mutated[name] = text;
  }
  // Without it a poll waits for the next event.
  if (endpoint.route === 'GET /events') mutated['dont_block'] = 'true';
  return mutated;
}
