import { z } from 'zod';

import { Name } from '../../values/fields.ts';
import { MAX_NAME_LENGTH, MAX_WORD_LENGTH } from '../../values/limits.ts';

/** How many terms a narrow may have. */
export const MAX_NARROW_TERMS = 100;
/** How many users or messages the operand of a term may name. */
export const MAX_OPERAND_ENTRIES = 1000;

const Operator = z.string().max(MAX_WORD_LENGTH).meta({ example: 'channel' });
const OperandText = Name.max(MAX_NAME_LENGTH);
const Operand = z.union([
  OperandText,
  z.int(),
  z.array(z.union([z.int(), OperandText])).max(MAX_OPERAND_ENTRIES),
]);
const Term = z.object({
  operator: Operator,
  operand: Operand,
  negated: z.boolean().default(false),
});
const Pair = z
  .tuple([Operator, OperandText])
  .transform(([operator, operand]) => ({ operator, operand, negated: false }));

/** One term of a narrow, as an object or a pair (spec, Conventions 7). */
export const NarrowTerm = z.union([Term, Pair]);
export type NarrowTerm = z.output<typeof NarrowTerm>;

/** A filter of messages: a message must match all terms. */
export const Narrow = z.array(NarrowTerm).max(MAX_NARROW_TERMS).meta({ id: 'Narrow' });
export type Narrow = z.output<typeof Narrow>;
