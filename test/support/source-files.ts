import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** From the root, with slashes: `packages/http/src/http.ts`. */
  readonly path: string;
  readonly text: string;
  /** The specifiers of its imports and re-exports. */
  readonly imports: readonly string[];
}

const IMPORT =
  /^\s*(?:import|export)\b[^;'"]*?\bfrom\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|^import\s+'([^']+)'/gm;

/** The TypeScript files that match a glob below the root, without built and installed ones. */
export function sourceFiles(pattern: string): SourceFile[] {
  return globSync(pattern, { cwd: root })
    .map((file) => file.split(sep).join('/'))
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
    .toSorted()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const imports = [...text.matchAll(IMPORT)].map(
        (found) => found[1] ?? found[2] ?? found[3] ?? '',
      );
      return { path, text, imports };
    });
}

/** The path of a relative import from the root; undefined for packages. */
export function resolved({ path }: SourceFile, imported: string): string | undefined {
  if (!imported.startsWith('.')) return undefined;
  return relative(root, join(root, dirname(path), imported))
    .split(sep)
    .join('/');
}

export const isTest = ({ path }: SourceFile): boolean => path.endsWith('.test.ts');

/** All files and packages that a file imports, directly or not, through packages of this repository too. */
export function reachable(entry: string): { files: Set<string>; packages: Set<string> } {
  const all = new Map(sourceFiles('packages/*/src/**/*.ts').map((file) => [file.path, file]));
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string | undefined) => {
    const file = path === undefined ? undefined : all.get(path);
    if (!file || files.has(file.path)) return;
    files.add(file.path);
    for (const imported of file.imports) {
      if (imported.startsWith('.')) visit(resolved(file, imported));
      else packages.add(imported);
      visit(entryOf(imported));
    }
  };
  visit(entry);
  return { files, packages };
}

/** The file behind `@bellhop/http` or `@bellhop/server/testing`; undefined for other packages. */
export function entryOf(imported: string): string | undefined {
  if (!imported.startsWith('@bellhop/')) return undefined;
  const [, name = '', ...rest] = imported.split('/');
  const manifest = JSON.parse(
    readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
  ) as { exports?: Record<string, string | Record<string, string>> };
  const target = manifest.exports?.[['.', ...rest].join('/')];
  const file = typeof target === 'string' ? target : Object.values(target ?? {})[0];
  return file === undefined ? undefined : `packages/${name}/${file.replace('./', '')}`;
}
