import type { Plugin } from 'vite';

/** Shorter texts may be data, such as a default. */
const MIN_LENGTH = 12;
const keys = new Set(['summary', 'description']);
/** The texts of errors are in the answers of the server. */
const keysOfErrors = new Set(['text']);
/** Lists that only the server and the documentation read. */
const lists = new Set(['permissions', 'errors', 'emits']);
/** Texts in `meta()` of a schema that only the OpenAPI document uses. */
const annotations =
  /^(id|description|type|enum|example|contains|encrypts|deprecated|maxProperties|x-.*)$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}
interface Key {
  readonly name?: string;
  readonly value?: string;
}
interface Property extends Node {
  readonly key: Key;
  readonly value: Node;
  readonly shorthand: boolean;
}
interface Call extends Node {
  readonly callee: { readonly property?: Key; readonly object: Node };
  readonly arguments: readonly { readonly properties?: readonly Partial<Property>[] }[];
}
/** A text without meaning for the browser, and what takes its place. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/**
 * Leaves the texts of the documentation out of the contract that the browser loads: a third of it. The
 * console shows documentation from the server's OpenAPI document.
 */
export function withoutDocsPlugin(): Plugin {
  return {
    name: 'without-docs',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/protocol\/(src|dist)\//.test(id)) return undefined;
      let text = code;
      const lang = id.endsWith('.ts') ? 'ts' : 'js';
      const texts = /\/errors\.[jt]s$/.test(id) ? keysOfErrors : keys;
      const tree = this.parse(code, { lang });
      // From the end, so that the positions before stay right.
      for (const { start, end, by } of documentationOf(tree, texts).toReversed())
        text = `${text.slice(0, start)}${by}${text.slice(end)}`;
      return { code: text, map: null };
    },
  };
}

/**
 * The documentation in a file: annotations of schemas, and properties that are plain texts or lists with
 * their names.
 */
function documentationOf(tree: unknown, texts: ReadonlySet<string>): readonly Cut[] {
  const found: Cut[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      if (isAnnotation(value)) {
        found.push({ start: value.callee.object.end, end: value.end, by: '' });
        visit(value.callee.object);
      } else if (isDocumentation(value, texts)) {
        const { start, end, type } = value.value;
        found.push({ start, end, by: isList(type) ? '[]' : "''" });
      } else Object.values(value).forEach(visit);
    }
  };
  visit(tree);
  return found.toSorted((a, b) => a.start - b.start);
}

/** `.meta({ ... })`, if it says nothing that the client reads, as `quotable`. */
function isAnnotation(node: object): node is Call {
  const { type, callee, arguments: given } = node as Partial<Call>;
  if (type !== 'CallExpression' || callee?.property?.name !== 'meta') return false;
  const properties = given?.[0]?.properties;
  return properties?.every(({ key }) => annotations.test(key?.name ?? key?.value ?? '')) === true;
}

function isDocumentation(node: object, texts: ReadonlySet<string>): node is Property {
  const { type, key, value, shorthand } = node as Partial<Property>;
  if (type === 'Property' && lists.has(key?.name ?? '') && shorthand !== true)
    return isList(value?.type);
  return (
    type === 'Property' &&
    texts.has(key?.name ?? '') &&
    value !== undefined &&
    (value.type === 'Literal' || value.type === 'TemplateLiteral') &&
    value.end - value.start > MIN_LENGTH
  );
}

/** A list, or the name of one. */
const isList = (type: string | undefined) => type === 'ArrayExpression' || type === 'Identifier';
