import { type Kysely, sql } from 'kysely';

import type { Tables } from './engine/tables.ts';

/** The table of all realms that each node has a copy of. The coordinator alone has the others. */
const COPIED = 'realm_name';

interface RealmTable {
  readonly name: string;
  /** The column that says on which node a row is. */
  readonly placed_by: 'id' | 'realm_id';
  readonly triggers: readonly string[];
  readonly keys: readonly { readonly name: string; readonly definition: string }[];
}

/**
 * The statements that place the tables of a chat server by realm with Citus, in one transaction: realms on the
 * nodes, together with all that is theirs. Foreign keys are taken away first and added again: Citus knows them
 * only between tables that it has. Triggers are for nodes of the version before, and go.
 */
export async function distributionStatements(db: Kysely<Tables>): Promise<string[]> {
  const tables = await realmTables(db);
  const id = (name: string) => `"${name}"`;
  const text = (name: string) => `'${name}'`;
  return [
    'begin;',
    ...tables.flatMap(({ name, triggers }) =>
      triggers.map((trigger) => `drop trigger ${id(trigger)} on ${id(name)};`),
    ),
    ...tables.flatMap(({ name, keys }) =>
      keys.map((key) => `alter table ${id(name)} drop constraint ${id(key.name)};`),
    ),
    `select create_reference_table(${text(COPIED)});`,
    `select create_distributed_table('realm', 'id', colocate_with => 'none');`,
    ...tables
      .filter(({ name }) => name !== 'realm')
      .map(
        ({ name, placed_by }) =>
          `select create_distributed_table(${text(name)}, ${text(placed_by)}, colocate_with => 'realm');`,
      ),
    ...tables.flatMap(({ name, keys }) =>
      keys.map(
        (key) => `alter table ${id(name)} add constraint ${id(key.name)} ${key.definition};`,
      ),
    ),
    'commit;',
  ];
}

async function realmTables(db: Kysely<Tables>): Promise<RealmTable[]> {
  const { rows } = await sql<RealmTable>`
    select t.relname::text as name,
      case when t.relname = 'realm' then 'id' else 'realm_id' end as placed_by,
      array(select g.tgname::text from pg_trigger g
        where g.tgrelid = t.oid and not g.tgisinternal order by 1) as triggers,
      (select coalesce(json_agg(json_build_object('name', k.conname,
          'definition', pg_get_constraintdef(k.oid)) order by k.conname), '[]')
        from pg_constraint k where k.conrelid = t.oid and k.contype = 'f') as keys
    from pg_class t
    where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and (t.relname = 'realm'
      or exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'realm_id'))
    order by t.relname`.execute(db);
  return rows;
}
