import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseSync } from 'oxc-parser';

import { root } from '../support/source-files.ts';

/** An export of a package. */
interface Entry {
  readonly name: string;
  /** The file that declares it. */
  readonly path: string;
  readonly doc: string;
  /** Its declaration without function bodies; all overloads of a function. */
  readonly code: string;
}

type Parsed = ReturnType<typeof parse>;
type Node = Parsed['program']['body'][number];
type Declaration = NonNullable<Extract<Node, { type: 'ExportNamedDeclaration' }>['declaration']>;

const parsed = new Map<string, Parsed>();

function parse(path: string) {
  const text = readFileSync(join(root, path), 'utf8');
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} has a syntax error: ${errors[0]?.message}`);
  return { path, text, program, comments };
}

function source(path: string): Parsed {
  const known = parsed.get(path) ?? parse(path);
  parsed.set(path, known);
  return known;
}

/** The reference of the bot framework, by the path of its page. */
export function referencePages(): Readonly<Record<string, string>> {
  return { 'docs/reference/bot.md': referenceOf('packages/bot') };
}

/** The entry points of a package for its users, with the names that each exports. */
export function entryPoints(folder: string) {
  const { name, exports } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  ) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string>>;
  };
  return Object.entries(exports)
    .filter(([path]) => path !== './internals')
    .map(([path, file]) => ({
      title: path.replace('.', name),
      entries: exportsOf(join(folder, file)).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    }));
}

/** One page for a package: what each of its entry points exports, with its doc comment. */
function referenceOf(folder: string): string {
  const points = entryPoints(folder);
  const name = points[0]?.title ?? '';
  const exported = points.flatMap(({ entries }) => entries);
  points.push({ title: 'Types they mention', entries: mentionedBy(exported) });
  const anchor = (title: string) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-');
  return [
    `# Reference: ${name}`,
    'Made of the sources by `npm run docs`. [bots.md](../bots.md) is the guide.',
    points.map(({ title }) => `- [${title}](#${anchor(title)})`).join('\n'),
    ...points.flatMap(({ title, entries }) => [`## ${title}`, ...entries.map(section)]),
    '',
  ].join('\n\n');
}

const section = ({ name, doc, code }: Entry) =>
  [`### ${name}`, ...(doc === '' ? [] : [doc]), `\`\`\`ts\n${code}\n\`\`\``].join('\n\n');

function exportsOf(path: string): Entry[] {
  const { program } = source(path);
  const found = new Map<string, Entry>();
  const add = (entry: Entry) => found.set(entry.name, entry);
  for (const node of program.body) {
    if (node.type !== 'ExportNamedDeclaration') continue;
    for (const name of node.declaration ? namesOf(node.declaration) : []) add(entryOf(path, name));
    for (const { local, exported } of node.specifiers) {
      const [inner, outer] = [local, exported].map((id) => ('name' in id ? id.name : id.value));
      if (inner === undefined || outer === undefined || !node.source)
        throw new Error(`${path}: this form of export is not supported`);
      add({ ...entryOf(join(path, '..', node.source.value), inner), name: outer });
    }
  }
  return [...found.values()];
}

/** The types, not exported themselves, that the declarations of others name. */
function mentionedBy(entries: readonly Entry[]): Entry[] {
  const found = new Map(entries.map((entry) => [entry.name, entry]));
  const pending = [...entries];
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    if (COMPUTED_TYPES.has(entry.name)) continue;
    for (const [name] of entry.code.matchAll(/\b[A-Z]\w+\b/g)) {
      const mentioned = found.has(name) ? undefined : visibleIn(entry.path, name);
      if (!mentioned) continue;
      found.set(name, mentioned);
      pending.push(mentioned);
    }
  }
  return [...found.values()]
    .filter((entry) => !entries.includes(entry))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Computed types, which the reference explains by their comments instead of their code. */
const COMPUTED_TYPES = new Set(['ArgsOf', 'CheckedUsage']);

/** A type of this package that a file declares or imports. */
function visibleIn(path: string, name: string): Entry | undefined {
  for (const node of source(path).program.body) {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (declaration && namesOf(declaration).includes(name)) return entryOf(path, name);
    if (node.type !== 'ImportDeclaration' || !node.source.value.startsWith('.')) continue;
    const imports = node.specifiers.some(({ local }) => local.name === name);
    if (imports) return entryOf(join(path, '..', node.source.value), name);
  }
  return undefined;
}

function entryOf(path: string, name: string): Entry {
  const nodes = source(path).program.body.filter((node) => {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    return declaration && namesOf(declaration).includes(name);
  });
  if (nodes.length === 0) {
    const entry = exportsOf(path).find((one) => one.name === name);
    if (!entry) throw new Error(`${path} has no ${name}`);
    return entry;
  }
  const bodiless = nodes.filter((node) => !bodyOf(node));
  const shown = bodiless.length > 0 ? bodiless : nodes;
  const doc = nodes.map((node) => docBefore(path, node.start)).find((text) => text !== '');
  const code = COMPUTED_TYPES.has(name) ? `type ${name}` : undefined;
  return {
    name,
    path,
    doc: doc ?? '',
    code: code ?? shown.map((node) => codeOf(path, node)).join('\n'),
  };
}

function namesOf(declaration: Declaration | Node): string[] {
  if ('id' in declaration && declaration.id && 'name' in declaration.id)
    return [declaration.id.name];
  if (declaration.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap(({ id }) => ('name' in id ? [id.name] : []));
}

/** The part that the reference omits: the body of a function, the value of a constant. */
function bodyOf(node: Node): { readonly start: number } | undefined {
  if (node.type !== 'ExportNamedDeclaration' || !node.declaration) return undefined;
  const { declaration } = node;
  if (declaration.type === 'FunctionDeclaration') return declaration.body ?? undefined;
  if (declaration.type !== 'VariableDeclaration') return undefined;
  const [first] = declaration.declarations;
  const value = first?.init;
  if (value?.type === 'ArrowFunctionExpression') return value.body;
  return first && 'typeAnnotation' in first.id && first.id.typeAnnotation
    ? (value ?? undefined)
    : undefined;
}

function codeOf(path: string, node: Node): string {
  const { text } = source(path);
  const cut = bodyOf(node)?.start ?? node.end;
  return (
    withoutBodies(node)
      .filter(({ start }) => start < cut)
      .reduceRight(
        (code, { start, end }) =>
          `${code.slice(0, start - node.start)};${code.slice(end - node.start)}`,
        text.slice(node.start, cut),
      )
      .replace(/^export /, '')
      // Internals are not part of the public type.
      .replaceAll(/^.*\[internals\].*\n/gm, '')
      .replace(/\s*(?:=>?|;)?\s*$/, '')
      .replaceAll(/\s+;/g, ';')
  );
}

/** The bodies of the methods of a class. */
function withoutBodies(node: Node): readonly { start: number; end: number }[] {
  if (node.type !== 'ExportNamedDeclaration') return [];
  const { declaration } = node;
  if (declaration?.type !== 'ClassDeclaration') return [];
  return declaration.body.body.flatMap((member) =>
    'value' in member && member.value && 'body' in member.value && member.value.body
      ? [member.value.body]
      : [],
  );
}

function docBefore(path: string, start: number): string {
  const { text, comments } = source(path);
  const comment = comments.findLast(
    ({ end, value }) =>
      end <= start && value.startsWith('*') && text.slice(end, start).trim() === '',
  );
  return (comment?.value ?? '')
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .join('\n')
    .trim();
}
