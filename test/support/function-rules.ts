import type { Node } from 'libpg-query';

import { isInterval, listOf, namesOf, nodesIn, walk } from './syntax-tree.ts';

/** A function of the database, of several the strictest. */
export interface FunctionFacts {
  readonly volatility: 'immutable' | 'stable' | 'volatile';
  /** It joins the rows of a query, so that the query stays one of its own: an aggregate, or a set of rows. */
  readonly folds: boolean;
  /** Our own one that reads tables, or has a parameter with the type of a table. */
  readonly touches: boolean;
}

/** What a distributor says to the functions of a statement, by the facts about each: see DistributedSchema. */
export class FunctionRules {
  readonly #known: ReadonlyMap<string, FunctionFacts>;

  constructor(known: ReadonlyMap<string, FunctionFacts>) {
    this.#known = known;
  }

  /** The functions that are called in a tree. */
  in(tree: unknown): (FunctionFacts & { readonly name: string })[] {
    return nodesIn(tree, ['FuncCall']).map((call) => this.#factsOf(call));
  }

  isMutable(tree: unknown): boolean {
    if (nodesIn(tree, ['SQLValueFunction']).length > 0) return true;
    return this.in(tree).some(({ volatility }) => volatility !== 'immutable');
  }

  /** Why an UPDATE or DELETE is refused for its functions. */
  refusedInChange(change: Readonly<Record<string, unknown>>): string[] {
    const reasons = this.in(change)
      .filter(({ volatility }) => volatility === 'volatile')
      .map(({ name }) => `a change calls ${name}, which is volatile`);
    for (const part of ['targetList', 'whereClause']) reasons.push(...this.#stable(change[part]));
    if (this.isMutable(change['returningList']))
      reasons.push('RETURNING has a function that is not immutable');
    return reasons;
  }

  /** Stable functions of columns are not evaluated before the change is sent; nor are those of a CASE. */
  #stable(expression: unknown): string[] {
    const reasons: string[] = [];
    walk(expression, (kind, parts) => {
      if (kind === 'SubLink') return false;
      if ((kind === 'CaseExpr' || kind === 'CoalesceExpr') && this.isMutable(parts))
        reasons.push('CASE or COALESCE of a change has a function that is not immutable');
      const isStable =
        (kind === 'FuncCall' && this.#factsOf(parts).volatility !== 'immutable') ||
        // A time plus or minus an interval is stable: it depends on the time zone.
        (kind === 'A_Expr' &&
          ['+', '-'].includes(namesOf(parts['name'])[0] ?? '') &&
          ['lexpr', 'rexpr'].some((side) => isInterval(parts[side])));
      if (isStable && nodesIn(parts, ['ColumnRef']).length > 0)
        reasons.push('a stable function of a column in a change');
      return true;
    });
    return reasons;
  }

  #factsOf(call: Readonly<Record<string, unknown>>): FunctionFacts & { readonly name: string } {
    const name = namesOf(call['funcname']).at(-1) ?? '';
    const count = listOf(call['args'] as Node[] | undefined).length;
    const facts = this.#known.get(`${name}/${count}`) ?? this.#known.get(name);
    if (!facts) throw new Error(`There is no function ${name}`);
    return { name, ...facts };
  }
}
