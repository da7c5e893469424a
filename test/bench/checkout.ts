import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A working copy of this repository, with its own node_modules. */
export interface Checkout {
  readonly path: string;
  /** Its commit, for the column of names. */
  readonly name: string;
}

export const thisCheckout: Checkout = {
  path: resolve(import.meta.dirname, '../..'),
  name: 'this checkout',
};

/** Throws if the directory is no checkout with its packages installed. */
export function checkoutAt(directory: string): Checkout {
  const path = resolve(directory);
  if (!existsSync(join(path, 'node_modules')))
    throw new Error(`${path} has no node_modules: run npm ci there first`);
  const commit = execFileSync('git', ['-C', path, 'describe', '--always', '--dirty']);
  return { path, name: `commit ${commit.toString().trim()}` };
}

/** The path of a file of the benchmarks in a checkout. Throws if the checkout does not have it. */
export function benchFile({ path }: Checkout, file: string): string {
  const found = join(path, 'test/bench', file);
  if (!existsSync(found))
    throw new Error(`${found} is missing: copy this checkout's test/bench/${file} there`);
  return found;
}
