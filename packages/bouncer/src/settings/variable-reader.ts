import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { z } from 'zod';

import { faultOf, fieldVariables, isList, isRequired } from './entry-fields.ts';
import type { Variable } from './variable.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads environment variables and collects their problems. */
export class VariableReader {
  readonly #env: Environment;
  readonly #variables: Readonly<Record<string, Variable>>;
  readonly #problems = new Set<string>();

  constructor(env: Environment, variables: Readonly<Record<string, Variable>>) {
    this.#env = env;
    this.#variables = variables;
  }

  /** One line for each problem found so far. */
  get problems(): readonly string[] {
    return [...this.#problems];
  }

  /** The value, of the variable, of the file that `NAME_FILE` names or of the credential, or the default. */
  text(name: string): string | undefined {
    const variable = this.#variableOf(name);
    const value = this.#env[name];
    if (value) return value;
    const source = this.#sourceOf(name);
    const credential = variable.orFile ? this.#credential(name) : undefined;
    const path = source === name ? credential : this.#env[source];
    if (path === undefined) return variable.default;
    try {
      return readFileSync(path, 'utf8').trim();
    } catch (error) {
      this.#problems.add(`${source}: ${messageOf(error)}`);
      return undefined;
    }
  }

  #variableOf(name: string): Variable {
    const variable = this.#variables[name];
    if (!variable) throw new Error(`the table of variables lacks ${name}`);
    return variable;
  }

  /** The variable that holds the value or the path of its file: `NAME` or `NAME_FILE`. */
  #sourceOf(name: string): string {
    const variable = this.#variableOf(name);
    const isNamed = variable.orFile && !this.#env[name] && this.#env[`${name}_FILE`];
    return isNamed ? `${name}_FILE` : name;
  }

  /** The path of the credential that systemd passes under this name. */
  #credential(name: string): string | undefined {
    const directory = this.#env['CREDENTIALS_DIRECTORY'];
    const path = directory ? join(directory, name) : undefined;
    return path !== undefined && existsSync(path) ? path : undefined;
  }

  /** The value, checked and converted. Undefined if it is not set or has a problem. */
  parse<T>(name: string, schema: z.ZodType<T>): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues)
      this.#problems.add(`${this.#sourceOf(name)}: ${faultOf(issue)}`);
    return undefined;
  }

  /**
   * The entry that variables describe by themselves: the same as one of the apps file. Undefined if the
   * secret is not set, or if something is wrong.
   */
  entry<S extends z.ZodObject>(schema: S, secret: string): z.output<S> | undefined {
    const fields = fieldVariables(schema);
    const texts = new Map(fields.map(([name, { env }]) => [name, this.text(env)]));
    const envOf = new Map(fields.map(([name, { env }]) => [name, env]));
    const required = fields.filter(([name]) => isRequired(schema.shape[name]));
    if (texts.get(secret) === undefined) {
      const set = required.find(([name]) => texts.get(name) !== undefined);
      const source = envOf.get(secret);
      if (set) this.#problems.add(`${source} is not set, but ${set[1].env} is`);
      return undefined;
    }
    const input = fields.flatMap(([name]) => {
      const text = texts.get(name);
      if (text === undefined) return [];
      const isItems = isList(schema.shape[name]);
      return [[name, isItems ? text.split(',').map((item) => item.trim()) : text]];
    });
    const parsed = schema.safeParse(Object.fromEntries(input));
    if (parsed.success) return parsed.data;
    for (const { path, ...issue } of parsed.error.issues) {
      const [name = '', ...rest] = path;
      const env = envOf.get(String(name)) ?? String(name);
      this.#problems.add(
        texts.get(String(name)) === undefined
          ? `${env} is not set`
          : `${this.#sourceOf(env)}: ${faultOf({ ...issue, path: rest })}`,
      );
    }
    return undefined;
  }

  /** Adds a problem of the variable if `use` throws, with the message of the error. */
  check(name: string, use: () => unknown): void {
    try {
      use();
    } catch (error) {
      this.#problems.add(`${this.#sourceOf(name)}: ${messageOf(error)}`);
    }
  }

  /** Reports that `other` is set, which has no effect beside `name`. */
  forbidBeside(name: string, other: string): void {
    const source = this.#sourceOf(other);
    const variable = this.#variableOf(other);
    if (this.#env[source] || (variable.orFile && this.#credential(other) !== undefined))
      this.#problems.add(`${source} has no effect beside ${name}: keep one of them`);
  }

  report(problems: readonly string[]): void {
    for (const problem of problems) this.#problems.add(problem);
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
