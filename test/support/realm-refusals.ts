import { loadModule, type Node, parseSync, type SelectStmt, type WithClause } from 'libpg-query';

import { type FunctionFacts, FunctionRules } from './function-rules.ts';
import {
  armsOf,
  isChange,
  isGiven,
  itemsOf,
  listOf,
  namesOf,
  nodesIn,
  partsOf,
  queryOf,
  valueOf,
  walk,
} from './syntax-tree.ts';

await loadModule();

/** What a distributor of PostgreSQL has to know of a database. */
export interface DistributedSchema {
  /** The tables that are distributed, with the column that places their rows. */
  readonly placedBy: ReadonlyMap<string, string>;
  /** All tables, with their columns. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  /** By their names, and by name and number of arguments: `to_timestamp/1`. */
  readonly functions: ReadonlyMap<string, FunctionFacts>;
}

/** The value that a statement gets from outside: a parameter, or a constant. */
const GIVEN = 'given';

/** The tables that the planner sees as one query, and which of their columns have equal values. */
interface Unit {
  readonly tables: { readonly name: string; readonly node: string }[];
  /** From a column, or GIVEN, to the columns whose values follow from it. */
  readonly follows: Map<string, Set<string>>;
}
interface Source {
  readonly key: string;
  readonly columns: ReadonlySet<string>;
  readonly unit: Unit;
  /** Columns of a query that is a part of the unit: what they stand for there. */
  readonly standsFor?: ReadonlyMap<string, string>;
}
interface Scope {
  readonly unit: Unit;
  readonly sources: Map<string, Source>;
  readonly ctes: Map<string, ReadonlySet<string>>;
  readonly outer: Scope | undefined;
}

/**
 * Why Citus 13 does not run a statement on the one node that has its rows: all tables must be placed there by
 * the same given value. Empty for a statement that it runs, and for one that reads and writes no placed table.
 * https://docs.citusdata.com/en/stable/develop/reference_workarounds.html has the rules; those of a router
 * query and of modifications are in multi_router_planner.c.
 */
export function refusals(text: string, schema: DistributedSchema): string[] {
  const { stmts } = parseSync(text) as { stmts?: { stmt: Node }[] };
  return (stmts ?? []).flatMap(({ stmt }) =>
    nodesIn(stmt, ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']).length > 0
      ? new StatementCheck(schema).run(stmt)
      : [],
  );
}

class StatementCheck {
  readonly #schema: DistributedSchema;
  readonly #reasons = new Set<string>();
  #units: Unit[] = [];
  #count = 0;
  #common = new Set<string>();

  readonly #functions: FunctionRules;

  constructor(schema: DistributedSchema) {
    this.#schema = schema;
    this.#functions = new FunctionRules(schema.functions);
  }

  run(statement: Node): string[] {
    this.#query(statement, undefined);
    const placed = this.#units.flatMap(({ tables }) => tables);
    for (const unit of this.#units)
      for (const { name, node } of unit.tables)
        if (!followsFrom(unit, node)) this.#reasons.add(`${name} is in no given realm`);
    for (const { name, touches } of this.#functions.in(statement))
      if (touches) this.#reasons.add(`the function ${name} reads tables, or rows of one`);
    if (placed.length === 0) return [...this.#reasons];
    for (const table of this.#common) this.#reasons.add(`${table} is no table of a realm`);
    return [...this.#reasons];
  }

  /** Reads a query of any kind. Returns its columns: what they stand for in its unit, if anything. */
  #query(query: Node, outer: Scope | undefined, into?: Unit): Map<string, string | undefined> {
    const unit = into ?? this.#newUnit();
    const scope: Scope = { unit, sources: new Map(), ctes: new Map(outer?.ctes), outer };
    const [kind, parts] = partsOf(query);
    this.#with(parts['withClause'] as WithClause | undefined, scope);
    switch (kind) {
      case 'SelectStmt':
        return this.#select(parts as SelectStmt, scope);
      case 'InsertStmt':
        return this.#insert(parts, scope);
      default:
        return this.#change(kind, parts, scope);
    }
  }

  #newUnit(): Unit {
    const unit: Unit = { tables: [], follows: new Map() };
    this.#units.push(unit);
    return unit;
  }

  #with(clause: WithClause | undefined, scope: Scope): void {
    for (const one of listOf(clause?.ctes)) {
      const [, cte] = partsOf(one);
      const name = String(cte['ctename']);
      const aliases = namesOf(cte['aliascolnames']);
      // A recursive query reads itself.
      scope.ctes.set(name, new Set(aliases));
      const columns = this.#query(cte['ctequery'] as Node, { ...scope, sources: new Map() });
      scope.ctes.set(name, new Set(aliases.length > 0 ? aliases : columns.keys()));
    }
    const inserts = listOf(clause?.ctes).some((cte) => 'InsertStmt' in queryOf(cte));
    if (inserts && clause?.recursive)
      this.#reasons.add('a recursion beside an insert in a WITH clause');
  }

  #select(select: SelectStmt, scope: Scope): Map<string, string | undefined> {
    if (select.op !== undefined && select.op !== 'SETOP_NONE') {
      const left = this.#query({ SelectStmt: select.larg ?? {} }, scope);
      this.#query({ SelectStmt: select.rarg ?? {} }, scope);
      return new Map([...left.keys()].map((name) => [name, undefined]));
    }
    for (const one of listOf(select.fromClause)) this.#from(one, scope);
    this.#conditions(select.whereClause, scope);
    for (const part of ['targetList', 'havingClause', 'sortClause', 'groupClause'] as const)
      this.#subqueries(select[part], scope);
    this.#subqueries(select.valuesLists, scope);
    return this.#columns(select.targetList, scope);
  }

  #insert(insert: Record<string, unknown>, scope: Scope): Map<string, string | undefined> {
    const table = this.#table(insert['relation'], scope);
    const given = insert['selectStmt'] as Node | undefined;
    const select = given && (partsOf(given)[1] as SelectStmt);
    const names = listOf(insert['cols'] as Node[]).map((one) => String(partsOf(one)[1]['name']));
    if (select && table.place !== undefined) {
      const at = names.indexOf(table.place);
      const place = `${table.key}.${table.place}`;
      const rows = listOf(select.valuesLists).map((row) =>
        listOf(partsOf(row)[1]['items'] as Node[]),
      );
      if (rows.length > 0) {
        this.#subqueries(select.valuesLists, scope);
        if (rows.every((row) => isGiven(row[at]))) follow(scope.unit, GIVEN, place);
        if (nodesIn(select, ['SubLink']).length > 0)
          this.#reasons.add('a subquery among the values of an insert');
      } else {
        const unit = this.#newUnit();
        const columns = this.#query(given, { ...scope, sources: new Map() }, unit);
        const node = [...columns.values()][at];
        const values = armsOf(select).map((arm) => valueOf(listOf(arm.targetList)[at]));
        if ((node && followsFrom(unit, node)) || values.every(isGiven))
          follow(scope.unit, GIVEN, place);
      }
      if (this.#functions.isMutable(insert['onConflictClause']))
        this.#reasons.add('ON CONFLICT has a function that is not immutable');
      if (listOf((insert['withClause'] as WithClause | undefined)?.ctes).some(isChange))
        this.#reasons.add(
          'a change in the WITH clause of an insert: both belong in that of a SELECT',
        );
    } else if (given) this.#query(given, scope);
    this.#subqueries(insert['returningList'], scope);
    if (table.place !== undefined && nodesIn(insert['returningList'], ['SubLink']).length > 0)
      this.#reasons.add('a subquery in RETURNING of an insert');
    return this.#columns(insert['returningList'] as Node[], scope);
  }

  #change(kind: string, change: Record<string, unknown>, scope: Scope) {
    const { place } = this.#table(change['relation'], scope);
    const from = kind === 'UpdateStmt' ? change['fromClause'] : change['usingClause'];
    for (const one of listOf(from as Node[])) this.#from(one, scope);
    this.#conditions(change['whereClause'] as Node | undefined, scope);
    for (const part of ['targetList', 'returningList']) this.#subqueries(change[part], scope);
    if (place !== undefined) {
      for (const reason of this.#functions.refusedInChange(change)) this.#reasons.add(reason);
    }
    return this.#columns(change['returningList'] as Node[], scope);
  }

  /** Adds a table. A table of a realm belongs to the unit from then on. */
  #table(relation: unknown, scope: Scope): Source & { readonly place: string | undefined } {
    const { relname, alias } = relation as { relname: string; alias?: { aliasname?: string } };
    const name = alias?.aliasname ?? relname;
    const source: Source = {
      key: `${(this.#count += 1)}:${name}`,
      columns: this.#schema.columns.get(relname) ?? new Set(),
      unit: scope.unit,
    };
    scope.sources.set(name, source);
    const place = this.#schema.placedBy.get(relname);
    if (place !== undefined)
      scope.unit.tables.push({
        name: name === relname ? name : `${relname} ${name}`,
        node: `${source.key}.${place}`,
      });
    else if (this.#schema.columns.has(relname)) this.#common.add(relname);
    return { ...source, place };
  }

  /** Adds what a FROM clause names. Returns the keys of its sources. */
  #from(item: Node, scope: Scope): string[] {
    const [kind, parts] = partsOf(item);
    if (kind === 'JoinExpr') return this.#join(parts, scope);
    const alias = parts['alias'] as { aliasname?: string; colnames?: Node[] } | undefined;
    const name = alias?.aliasname ?? `${(this.#count += 1)}`;
    const cte = kind === 'RangeVar' ? scope.ctes.get(String(parts['relname'])) : undefined;
    if (kind === 'RangeVar' && !cte) return [this.#table(parts, scope).key];
    if (kind === 'RangeSubselect') return this.#derived(parts, { name, alias, scope });
    if (kind === 'RangeFunction') this.#subqueries(parts['functions'], scope);
    const defined = listOf(parts['coldeflist'] as Node[]).map((one) => partsOf(one)[1]['colname']);
    const columns = cte ?? new Set([...namesOf(alias?.colnames), ...defined.map(String), name]);
    const key = `${(this.#count += 1)}:${name}`;
    scope.sources.set(cte && !alias ? String(parts['relname']) : name, {
      key,
      columns,
      unit: scope.unit,
    });
    return [key];
  }

  #derived(
    parts: Record<string, unknown>,
    named: { name: string; alias: { colnames?: Node[] } | undefined; scope: Scope },
  ): string[] {
    const { name, alias, scope } = named;
    const subquery = parts['subquery'] as Node;
    const outer = parts['lateral'] ? scope : { ...scope, sources: new Map() };
    const isPart = this.#isPart(subquery);
    const found = this.#query(subquery, outer, isPart ? scope.unit : undefined);
    const aliases = namesOf(alias?.colnames);
    const columns = [...found].map(([column, node], at) => [aliases[at] ?? column, node] as const);
    const standsFor = new Map(
      columns.flatMap(([column, node]) => (isPart && node ? [[column, node] as const] : [])),
    );
    const key = `${(this.#count += 1)}:${name}`;
    const names = new Set(columns.map(([column]) => column));
    scope.sources.set(name, { key, columns: names, unit: scope.unit, standsFor });
    return [key, ...[...standsFor.values()].map(sourceOf)];
  }

  #join(join: Record<string, unknown>, scope: Scope): string[] {
    const left = this.#from(join['larg'] as Node, scope);
    const from = () => this.#from(join['rarg'] as Node, scope);
    const right = join['jointype'] === 'JOIN_LEFT' ? this.#apart(scope.unit, from) : from();
    // The condition of an outer join says something only of the side that may be missing.
    const about = {
      JOIN_LEFT: new Set(right),
      JOIN_RIGHT: new Set(left),
      JOIN_FULL: new Set<string>(),
    }[String(join['jointype'])];
    this.#conditions(join['quals'] as Node | undefined, scope, about);
    return [...left, ...right];
  }

  /** Whether the planner makes a query in FROM or in EXISTS a part of the query around it. */
  #isPart(query: Node): boolean {
    const [kind, parts] = partsOf(query);
    if (kind !== 'SelectStmt') return false;
    const select = parts as SelectStmt;
    const keeps = [
      select.withClause,
      select.limitCount,
      select.limitOffset,
      select.havingClause,
      listOf(select.groupClause)[0],
      listOf(select.distinctClause)[0],
      listOf(select.windowClause)[0],
      listOf(select.lockingClause)[0],
      listOf(select.valuesLists)[0],
      listOf(select.fromClause)[0] ? undefined : 'no FROM',
      select.op === undefined || select.op === 'SETOP_NONE' ? undefined : 'a union',
    ];
    return (
      keeps.every((part) => part === undefined) &&
      !this.#functions.in(select.targetList).some(({ folds }) => folds)
    );
  }

  /** Reads what may have no row, as behind NOT EXISTS: its conditions say nothing of the sources before it. */
  #apart<T>({ follows }: Unit, read: () => T): T {
    const before = this.#count;
    const known = new Map([...follows].map(([from, to]) => [from, new Set(to)]));
    const result = read();
    for (const [from, all] of follows)
      for (const to of all)
        if (Number.parseInt(to, 10) <= before && !known.get(from)?.has(to)) all.delete(to);
    return result;
  }

  /** Notes which columns are equal by conditions that all hold. `about`: only of these sources. */
  #conditions(condition: Node | undefined, scope: Scope, about?: ReadonlySet<string>): void {
    if (!condition) return;
    const [kind, parts] = partsOf(condition);
    if (kind === 'BoolExpr' && parts['boolop'] === 'AND_EXPR') {
      for (const one of listOf(parts['args'] as Node[])) this.#conditions(one, scope, about);
      return;
    }
    const isNot = kind === 'BoolExpr' && parts['boolop'] === 'NOT_EXPR';
    const exists = isNot ? partsOf(listOf(parts['args'] as Node[])[0] ?? {})[1] : parts;
    const subselect = exists['subselect'] as Node | undefined;
    if (
      subselect &&
      exists['subLinkType'] === 'EXISTS_SUBLINK' &&
      !about &&
      this.#isPart(subselect)
    ) {
      const query = () => this.#query(subselect, scope, scope.unit);
      if (isNot) this.#apart(scope.unit, query);
      else query();
      return;
    }
    if (kind === 'A_Expr' && parts['kind'] === 'AEXPR_OP' && namesOf(parts['name'])[0] === '=') {
      const [left, right] = ['lexpr', 'rexpr'].map((side) => itemsOf(parts[side] as Node));
      for (const [at, one] of (left ?? []).entries()) {
        const [a, b] = [this.#nodeOf(one, scope), this.#nodeOf(right?.[at], scope)];
        if (!a || !b) continue;
        if (!about || about.has(sourceOf(b))) follow(scope.unit, a, b);
        if (!about || about.has(sourceOf(a))) follow(scope.unit, b, a);
      }
    }
    this.#subqueries(condition, scope);
  }

  /** Reads queries inside an expression: each is one of its own. */
  #subqueries(expression: unknown, scope: Scope): void {
    walk(expression, (kind, parts) => {
      if (kind !== 'SelectStmt') return true;
      this.#query({ SelectStmt: parts }, scope);
      return false;
    });
  }

  /** GIVEN, or the column of the unit of the scope; undefined for anything else. */
  #nodeOf(expression: Node | undefined, scope: Scope): string | undefined {
    if (isGiven(expression)) return GIVEN;
    const [kind, parts] = partsOf(expression ?? {});
    if (kind === 'TypeCast') return this.#nodeOf(parts['arg'] as Node, scope);
    if (kind !== 'ColumnRef') return undefined;
    const path = namesOf(parts['fields']);
    const column = path.at(-1) ?? '';
    for (let at: Scope | undefined = scope; at; at = at.outer) {
      const found =
        path.length > 1
          ? at.sources.get(path.at(-2) ?? '')
          : [...at.sources.values()].find(({ columns }) => columns.has(column));
      if (!found) continue;
      return found.unit === scope.unit
        ? (found.standsFor?.get(column) ?? `${found.key}.${column}`)
        : undefined;
    }
    return undefined;
  }

  #columns(targets: Node[] | undefined, scope: Scope): Map<string, string | undefined> {
    const columns = new Map<string, string | undefined>();
    for (const target of listOf(targets)) {
      const [kind, parts] = partsOf(valueOf(target) ?? {});
      const path = kind === 'ColumnRef' ? listOf(parts['fields'] as Node[]) : [];
      if (path.some((one) => 'A_Star' in one)) {
        const [of] = namesOf(path);
        for (const [name, source] of scope.sources)
          if (of === undefined || of === name)
            for (const column of source.columns)
              columns.set(column, source.standsFor?.get(column) ?? `${source.key}.${column}`);
        continue;
      }
      const { name } = partsOf(target)[1];
      const own = typeof name === 'string' ? name : namesOf(path).at(-1);
      columns.set(own ?? `?${columns.size}`, this.#nodeOf(valueOf(target), scope));
    }
    return columns;
  }
}

const sourceOf = (node: string) => node.slice(0, node.lastIndexOf('.'));

function follow({ follows }: Unit, from: string, to: string): void {
  follows.set(from, (follows.get(from) ?? new Set()).add(to));
}

function followsFrom({ follows }: Unit, node: string): boolean {
  const known = new Set([GIVEN]);
  for (const one of known) for (const next of follows.get(one) ?? []) known.add(next);
  return known.has(node);
}
