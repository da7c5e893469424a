// What the linter's configurations of packages share: folders on a stair. A folder imports from rows
// before its own, types included; never from its own row or a later one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { OxlintConfig, OxlintOverride } from 'oxlint';

/** The rows of a stair; the first imports no other. */
export type Stair = readonly (readonly string[])[];

/** The rules of all packages. Their overrides name paths from the root. */
export const rulesOfAll: OxlintConfig = {
  ...(JSON.parse(
    readFileSync(join(import.meta.dirname, '../.oxlintrc.json'), 'utf8'),
  ) as OxlintConfig),
  overrides: [],
};

/** The names that a folder of the stair must not import: those of its own row and of later ones. */
export function notBefore(stair: Stair, name: string): string[] {
  const row = stair.findIndex((names) => names.includes(name));
  return stair.slice(row).flatMap((names) => names.filter((other) => other !== name));
}

/** A pattern of `no-restricted-imports` for folders that the importing one is not in. */
export const forbids = (folders: readonly string[], message: string) => ({
  regex: String.raw`^(\.\./)+(${folders.join('|')})(/|\.ts$)`,
  message,
});

/** The same for files and folders beside the importing file. */
export const forbidsBeside = (names: readonly string[], message: string) => ({
  regex: String.raw`^\./(${names.join('|')})(/|\.ts$)`,
  message,
});

/**
 * The imports that the stair forbids to each of its folders and files. `paths`: packages that are forbidden to
 * all of them. `exported`: files that may import every folder, since they are what others import.
 */
export const stairRules = (
  stair: Stair,
  { paths = [], exported = [] }: StairOptions = {},
): OxlintOverride[] =>
  stair.flat().flatMap((name) => {
    const order = `oxlint.config.ts has it not below ${name}.`;
    const above = notBefore(stair, name);
    return [
      {
        files: [`src/${name}/**`],
        excludeFiles: ['src/**/*.{test,fixture}.ts'],
        rules: {
          'no-restricted-imports': [
            'error',
            { paths: [...paths], patterns: [forbids(above, order)] },
          ],
        },
      },
      {
        files: [`src/${name}.ts`],
        rules: {
          'no-restricted-imports': [
            'error',
            {
              paths: [...paths],
              patterns: exported.includes(name) ? [] : [forbidsBeside(above, order)],
            },
          ],
        },
      },
    ];
  });

interface StairOptions {
  readonly paths?: readonly {
    readonly name: string;
    readonly allowTypeImports?: boolean;
    readonly message: string;
  }[];
  readonly exported?: readonly string[];
}

/** Throws if a folder or a file of `src` is in no row. Tests and fixtures need none. */
export function requireListed(src: string, stair: Stair): void {
  const unlisted = readdirSync(src)
    .filter((name) => !/\.(test|fixture)\.ts$/.test(name))
    .map((name) => name.replace('.ts', ''))
    .filter((name) => !stair.flat().includes(name));
  if (unlisted.length > 0) throw new Error(`Add ${unlisted.join(', ')} to the rows of this file`);
}
