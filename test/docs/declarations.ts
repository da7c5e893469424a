import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseSync } from 'oxc-parser';

import { root } from '../support/source-files.ts';
import { typeNames } from './type-names.ts';

/** A declaration as the users of a package see it. */
export interface Declared {
  readonly name: string;
  /** The file that declares it. */
  readonly path: string;
  readonly doc: string;
  /** Without function bodies; all overloads of a function. */
  readonly code: string;
  readonly isType: boolean;
  /** Of a function: its result has a written type. */
  readonly isTyped: boolean;
  /** The types that it names. */
  readonly names: ReadonlySet<string>;
}

/** An entry point of a package for its users, with the names that it exports. */
export interface EntryPoint {
  readonly title: string;
  /** The file that exports them. */
  readonly path: string;
  readonly entries: readonly Declared[];
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

interface PackageManifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
}

const manifests = new Map<string, PackageManifest>();

function manifestOf(folder: string): PackageManifest {
  const known =
    manifests.get(folder) ??
    (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as PackageManifest);
  manifests.set(folder, known);
  return known;
}

export function entryPoints(folder: string): readonly EntryPoint[] {
  const { name, exports } = manifestOf(folder);
  return Object.entries(exports)
    .filter(([entry, path]) => entry !== './internals' && /(?<!\.fixture)\.ts$/.test(path))
    .map(([entry, file]) => {
      const path = join(folder, file);
      const entries = exportsOf(path).toSorted(
        (a, b) => Number(a.isType) - Number(b.isType) || (a.name < b.name ? -1 : 1),
      );
      return { title: entry.replace('.', name), path, entries };
    });
}

/** The file that a module of ours is imported from; undefined for Node and libraries. */
function fileOf(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(path, '..', specifier);
  const [, name = '', rest = ''] = /^@bellhop\/([^/]+)(.*)$/.exec(specifier) ?? [];
  if (name === '') return undefined;
  const folder = `packages/${name}`;
  return join(folder, manifestOf(folder).exports[`.${rest}`] ?? '');
}

function exportsOf(path: string): Declared[] {
  const found = new Map<string, Declared>();
  const add = (entry: Declared) => found.set(entry.name, entry);
  for (const node of source(path).program.body) {
    if (node.type === 'ExportAllDeclaration')
      for (const entry of exportsOf(fileOf(path, node.source.value) ?? '')) add(entry);
    if (node.type !== 'ExportNamedDeclaration') continue;
    for (const name of node.declaration ? namesOf(node.declaration) : []) add(declared(path, name));
    for (const { local, exported } of node.specifiers) {
      const [inner, outer] = [local, exported].map((id) => ('name' in id ? id.name : id.value));
      const from = node.source && fileOf(path, node.source.value);
      if (inner === undefined || outer === undefined || !from)
        throw new Error(`${path}: this form of export is not supported`);
      add({ ...declared(from, inner), name: outer });
    }
  }
  return [...found.values()];
}

/** The types of ours that a declaration names. */
export const namedBy = ({ path, names }: Declared): Declared[] =>
  [...names].flatMap((name) => visibleIn(path, name) ?? []);

/** A type of ours that a file declares or imports. */
function visibleIn(path: string, name: string): Declared | undefined {
  for (const node of source(path).program.body) {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (declaration && namesOf(declaration).includes(name)) return declared(path, name);
    if (node.type !== 'ImportDeclaration') continue;
    const specifier = node.specifiers.find(({ local }) => local.name === name);
    const from = specifier && fileOf(path, node.source.value);
    if (from !== undefined) return declared(from, name);
  }
  return undefined;
}

const declarations = new Map<string, Declared>();

function declared(path: string, name: string): Declared {
  const key = `${path} ${name}`;
  const known = declarations.get(key) ?? read(path, name);
  declarations.set(key, known);
  return known;
}

function read(path: string, name: string): Declared {
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
  // Of a name that is a schema and its type, the type.
  const types = nodes.filter(isType);
  const shown = types.length > 0 ? types : bodiless.length > 0 ? bodiless : nodes;
  const doc = nodes.map((node) => docBefore(path, node.start)).find((text) => text !== '');
  return {
    name,
    path,
    doc: doc ?? '',
    code: shown.map((node) => codeOf(path, node)).join('\n'),
    isType: types.length > 0,
    isTyped: shown.every(isTyped),
    names: typeNames(shown),
  };
}

const declarationIn = (node: Node) =>
  node.type === 'ExportNamedDeclaration' ? node.declaration : node;

const isType = (node: Node): boolean =>
  ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration'].includes(declarationIn(node)?.type ?? '');

/**
 * Whether the compiler infers nothing of the type of a function. That of another constant may be inferred, as
 * a schema's is: users write `typeof name`.
 */
function isTyped(node: Node): boolean {
  const declaration = declarationIn(node);
  if (declaration?.type === 'FunctionDeclaration' || declaration?.type === 'TSDeclareFunction')
    return Boolean(declaration.returnType);
  if (declaration?.type !== 'VariableDeclaration') return true;
  return declaration.declarations.every(
    ({ id, init }) =>
      ('typeAnnotation' in id && id.typeAnnotation) ||
      init?.type !== 'ArrowFunctionExpression' ||
      init.returnType,
  );
}

function namesOf(declaration: Declaration | Node): string[] {
  if ('id' in declaration && declaration.id && 'name' in declaration.id)
    return [declaration.id.name];
  if (declaration.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap(({ id }) => ('name' in id ? [id.name] : []));
}

/** The part that the reference omits: the body of a function, the value of a constant, a computed type. */
function bodyOf(node: Node): { readonly start: number } | undefined {
  if (node.type !== 'ExportNamedDeclaration' || !node.declaration) return undefined;
  const { declaration } = node;
  if (declaration.type === 'TSTypeAliasDeclaration') {
    const { typeAnnotation: type } = declaration;
    return type.type === 'TSConditionalType' ? type : undefined;
  }
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
