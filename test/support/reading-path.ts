import { resolved, sourceFiles } from './source-files.ts';

/** The files of the numbered lists of a page, in their order, by the headings that part them. */
export const readingPath = (text: string): string[][] =>
  text
    .split(/^###? .*$/m)
    .map((part) => [...part.matchAll(/^\d+\. \[.*?\]\((?:\.\.\/)+(.*?)\)/gm)])
    .map((lines) => lines.map(([, path = '']) => path));

/** The files that no earlier one imports, and those that do not exist. A part may begin with any file. */
export function lostFiles(parts: readonly (readonly string[])[], pattern: string): string[] {
  const files = new Map(sourceFiles(pattern).map((file) => [file.path, file]));
  const imports = (path: string, other: string): boolean => {
    const file = files.get(path);
    return (
      file?.imports.some((name) => resolved(file, name) === other || inPackage(name, other)) ??
      false
    );
  };
  const all = parts.flat();
  return parts.flatMap(([first, ...others]) => [
    ...(first === undefined || files.has(first) ? [] : [first]),
    ...others.filter((path) => !all.slice(0, all.indexOf(path)).some((one) => imports(one, path))),
  ]);
}

const inPackage = (name: string, path: string) =>
  path.startsWith(`${name.replace('@bellhop', 'packages')}/`);
