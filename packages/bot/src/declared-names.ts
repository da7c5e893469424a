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

/** The names that a bot declares, so that a misspelled name does not compile. */
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

/** Options that declare no names. */
export interface NoNames {
  readonly tasks?: undefined;
  readonly dialogs?: undefined;
  readonly choices?: undefined;
}

// A conditional type, so that the declaration file of an exported bot contains no name of this file.
/**
 * The names that a bot declares: its tasks (`typeof tasks`), then the names of its dialogs and of its choices
 * (`'order' | 'refund'`). Any name of a kind that is left out. For a `CommandContext` or a `Bot` in a file of
 * its own: `CommandContext<Args, Session, NamesOf<typeof tasks>>`.
 */
export type NamesOf<
  T extends TaskSchemas = TaskSchemas,
  D extends string = string,
  C extends string = string,
> = string extends keyof T
  ? { readonly tasks: AnyTasks; readonly dialogs: D; readonly choices: C }
  : {
      readonly tasks: {
        readonly [K in keyof T]: T[K] extends StandardSchema<infer Output> ? Output : never;
      };
      readonly dialogs: D;
      readonly choices: C;
    };

export type AnyTasks = Readonly<Record<string, JsonValue>>;

/** The data of tasks by their names; any, for a bot that declares no names. */
export type TasksOf<N extends Names | undefined> = N extends Names ? N['tasks'] : AnyTasks;
export type TaskName<N extends Names | undefined> = keyof TasksOf<N> & string;
export type TaskData<N extends Names | undefined, T extends string> = TasksOf<N>[T &
  keyof TasksOf<N>];
export type DialogName<N extends Names | undefined> = N extends Names ? N['dialogs'] : string;
export type ChoiceName<N extends Names | undefined> = N extends Names ? N['choices'] : string;

/** Any name of a task, for a bot that declares none; no name for others. */
export type FreeTaskName<N extends Names | undefined> = string extends TaskName<N> ? string : never;
