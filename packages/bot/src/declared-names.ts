import type { StandardSchema } from './sessions/standard-schema.ts';
import type { JsonValue } from './stores/store.ts';

/** The schemas of the data of tasks, by the names of the tasks. */
export type TaskSchemas = Readonly<Record<string, StandardSchema>>;

/** The names that a bot declares, for the compiler; the data of its tasks by their names. */
export interface Names {
  readonly tasks: object;
  readonly dialogs: string;
  readonly choices: string;
}

/** The names of a bot that declares none: any text, any data. */
export interface AnyNames extends Names {
  readonly tasks: Readonly<Record<string, JsonValue>>;
}

/** What a bot may declare, so that a misspelled name does not compile. */
export interface NameOptions<T extends TaskSchemas, D extends string, C extends string> {
  /**
   * The tasks of the bot, with schemas of their data: zod, or any other Standard Schema. The data is
   * checked when a task is scheduled and before it runs; a schema must accept its own output.
   */
  readonly tasks?: T;
  /** The names of the dialogs. */
  readonly dialogs?: readonly D[];
  /** The names of the choices. */
  readonly choices?: readonly C[];
}

/** What options declare; all names where they declare none. */
export interface NamesOf<T extends TaskSchemas, D extends string, C extends string> extends Names {
  readonly tasks: string extends keyof T
    ? AnyNames['tasks']
    : { readonly [K in keyof T]: T[K] extends StandardSchema<infer Output> ? Output : never };
  readonly dialogs: D;
  readonly choices: C;
}

export type TaskName<N extends Names> = keyof N['tasks'] & string;

/** Any name of a task, for a bot that declares none; no name for others. */
export type FreeTaskName<N extends Names> = string extends TaskName<N> ? string : never;
