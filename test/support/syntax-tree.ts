import type { Node, SelectStmt } from 'libpg-query';

/** A node of a syntax tree of PostgreSQL is an object with one key, its kind, and its parts as the value. */
type Parts = Record<string, unknown>;

export const listOf = (list: readonly Node[] | undefined): readonly Node[] => list ?? [];

/** The kind and the parts of a node; of none: `''` and no parts. */
export function partsOf(node: object): [kind: string, parts: Parts] {
  const [kind = ''] = Object.keys(node);
  return [kind, ((node as Parts)[kind] ?? {}) as Parts];
}

/** Visits everything inside a tree, from the outside; not what is inside of that for which it returns false. */
export function walk(tree: unknown, visit: (kind: string, parts: Parts) => boolean): void {
  if (typeof tree !== 'object' || tree === null) return;
  if (Array.isArray(tree)) {
    for (const one of tree) walk(one, visit);
    return;
  }
  for (const [name, value] of Object.entries(tree)) {
    const isNode = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isNode || !/^[A-Z]/.test(name) || visit(name, value as Parts)) walk(value, visit);
  }
}

/** The parts of all nodes of these kinds inside a tree. */
export function nodesIn(tree: unknown, kinds: readonly string[]): Parts[] {
  const found: Parts[] = [];
  walk(tree, (kind, parts) => {
    if (kinds.includes(kind)) found.push(parts);
    return true;
  });
  return found;
}

/** Whether an expression is a parameter or a constant. */
export const isGiven = (expression: Node | undefined): boolean => {
  const [kind, parts] = partsOf(expression ?? {});
  return kind === 'TypeCast'
    ? isGiven(parts['arg'] as Node)
    : kind === 'ParamRef' || kind === 'A_Const';
};
export const isInterval = (expression: unknown) =>
  nodesIn(expression, ['TypeCast']).some(({ typeName }) =>
    namesOf((typeName as { names?: Node[] }).names).includes('interval'),
  );
/** The query of a part of a WITH clause. */
export const queryOf = (cte: Node): object => partsOf(cte)[1]['ctequery'] as object;
export const isChange = (cte: Node) => !('SelectStmt' in queryOf(cte));
/** The expression of a target: a column of a result, or a value that is set. */
export const valueOf = (target: Node | undefined) =>
  partsOf(target ?? {})[1]['val'] as Node | undefined;
/** The queries of a union. */
export const armsOf = (select: SelectStmt): SelectStmt[] =>
  select.larg && select.rarg ? [...armsOf(select.larg), ...armsOf(select.rarg)] : [select];
/** The parts of a row, or the one expression. */
export const itemsOf = (expression: Node): Node[] => {
  const [kind, parts] = partsOf(expression);
  return kind === 'RowExpr' ? [...listOf(parts['args'] as Node[])] : [expression];
};
/** The strings of a list: names of functions, columns and types are such. */
export const namesOf = (list: unknown): string[] =>
  listOf(list as Node[]).flatMap((one) => {
    const [kind, parts] = partsOf(one);
    return kind === 'String' ? [String(parts['sval'])] : [];
  });
