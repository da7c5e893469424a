import { z } from 'zod';

const Operand = z.union([z.string(), z.int(), z.array(z.union([z.int(), z.string()]))]);
const Term = z.object({
  operator: z.string(),
  operand: Operand,
  negated: z.boolean().default(false),
});
const Pair = z
  .tuple([z.string(), z.string()])
  .transform(([operator, operand]) => ({ operator, operand, negated: false }));

/** One term of a narrow, as an object or a pair (spec, Conventions 7). */
export const NarrowTerm = z.union([Term, Pair]);
export type NarrowTerm = z.output<typeof NarrowTerm>;

/** A filter of messages: a message must match all terms. */
export const Narrow = z.array(NarrowTerm).meta({ id: 'Narrow' });
export type Narrow = z.output<typeof Narrow>;
