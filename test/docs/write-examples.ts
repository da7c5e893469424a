import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root } from '../support/source-files.ts';
import type { Example } from './examples-in.ts';

/** The folder where the examples are compiled: inside the repository, to resolve packages. */
export const folder = join(root, 'test', '.docs-examples');

const project = {
  extends: '../../tsconfig.base.json',
  compilerOptions: {
    composite: false,
    noEmit: true,
    rewriteRelativeImportExtensions: false,
    rootDir: '../..',
    // Examples declare variables that they do not use.
    noUnusedLocals: false,
  },
  include: ['**/*.ts'],
  exclude: [],
};

/** Writes the modules of examples and the project that compiles them. */
export function writeExamples(examples: readonly Example[]): void {
  rmSync(folder, { recursive: true, force: true });
  for (const { file, module } of examples) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), module);
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
}
