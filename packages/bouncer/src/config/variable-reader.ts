import { readFileSync } from 'node:fs';

import type { z } from 'zod';

import type { Variable } from './variable.ts';
import { type VariableName, variables } from './variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads environment variables and collects their problems. */
export class VariableReader {
  readonly #env: Environment;
  readonly #problems = new Set<string>();

  constructor(env: Environment) {
    this.#env = env;
  }

  /** One line for each problem found so far. */
  get problems(): readonly string[] {
    return [...this.#problems];
  }

  /** The value, of the variable or of the file that `NAME_FILE` names, or the default. */
  text(name: VariableName): string | undefined {
    const variable: Variable = variables[name];
    const value = this.#env[name];
    if (value !== undefined && value !== '') return value;
    const path = variable.orFile ? this.#env[`${name}_FILE`] : undefined;
    if (path === undefined || path === '') return variable.default;
    try {
      return readFileSync(path, 'utf8').trim();
    } catch (error) {
      this.#problems.add(`${name}_FILE: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** The value, checked and converted. Undefined if it is not set or has a problem. */
  parse<T>(name: VariableName, schema: z.ZodType<T>): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    this.#problems.add(`${name}: ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
    return undefined;
  }

  /** As `parse`; a variable that is not set is a problem. */
  require<T>(name: VariableName, schema: z.ZodType<T>): T | undefined {
    const value = this.parse(name, schema);
    if (this.text(name) === undefined) this.#problems.add(`${name} is not set`);
    return value;
  }

  /** Notes a problem with the variable's key if `use` throws. */
  checkKey(name: VariableName, use: () => unknown): void {
    try {
      use();
    } catch (error) {
      this.#problems.add(`${name} holds an unusable key: ${messageOf(error)}`);
    }
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
