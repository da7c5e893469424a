import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { z } from 'zod';

import { entryFault, faultOf, fieldVariables, isList, itemsOf } from './entry-fields.ts';
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
    const input = new Map(
      fields.flatMap(([name]) => {
        const text = texts.get(name);
        if (text === undefined) return [];
        return [[name, isList(schema.shape[name]) ? itemsOf(text) : text] as const];
      }),
    );
    const { success, data, error } = schema.safeParse(Object.fromEntries(input));
    const isGiven = texts.get(secret) !== undefined;
    if (success && isGiven) return data;
    for (const { path, ...issue } of error?.issues ?? []) {
      const [name = '', ...rest] = path;
      const env = envOf.get(String(name)) ?? String(name);
      const value = input.get(String(name));
      if (value !== undefined)
        this.#problems.add(`${this.#sourceOf(env)}: ${faultIn(value, { ...issue, path: rest })}`);
      else if (isGiven) this.#problems.add(`${env} is not set`);
    }
    const [, { env: source } = { env: secret }] = fields.find(([name]) => name === secret) ?? [];
    const other = fields.find(([, { env }]) => this.#isSet(env));
    // A file that cannot be read is reported by itself.
    if (other && !isGiven && !this.#isSet(source))
      this.#problems.add(`${source} is not set, but ${other[1].env} is`);
    return undefined;
  }

  /** Whether the environment, a file or a credential has a value. */
  #isSet(name: string): boolean {
    const hasCredential =
      this.#variableOf(name).orFile === true && this.#credential(name) !== undefined;
    return Boolean(this.#env[this.#sourceOf(name)]) || hasCredential;
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
    if (this.#isSet(other))
      this.#problems.add(`${this.#sourceOf(other)} has no effect beside ${name}: keep one of them`);
  }

  report(problems: readonly string[]): void {
    for (const problem of problems) this.#problems.add(problem);
  }
}

/** The fault of a value; of a list, the fault of its entry. */
function faultIn(value: string | readonly string[], issue: z.core.$ZodIssue): string {
  const [at] = issue.path;
  return typeof value !== 'string' && typeof at === 'number'
    ? entryFault(value, at, issue.message)
    : faultOf(issue);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
