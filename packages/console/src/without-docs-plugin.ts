import type { Plugin } from 'vite';

/** Shorter texts may be data, such as a default. */
const MIN_LENGTH = 12;
const keys = new Set(['summary', 'description']);
/** Lists that only the server and the documentation read. */
const lists = new Set(['permissions', 'errors', 'emits']);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}
interface Property extends Node {
  readonly key: { readonly name?: string };
  readonly value: Node;
  readonly shorthand: boolean;
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
      // From the end, so that the positions before stay right.
      for (const { type, start, end } of documentationOf(this.parse(code, { lang })).toReversed()) {
        const nothing = isList(type) ? '[]' : "''";
        text = `${text.slice(0, start)}${nothing}${text.slice(end)}`;
      }
      return { code: text, map: null };
    },
  };
}

/** The values of all properties that are documentation: plain texts, and lists with their names. */
function documentationOf(tree: unknown): readonly Node[] {
  const found: Node[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      if (isDocumentation(value)) found.push(value.value);
      else Object.values(value).forEach(visit);
    }
  };
  visit(tree);
  return found.toSorted((a, b) => a.start - b.start);
}

function isDocumentation(node: object): node is Property {
  const { type, key, value, shorthand } = node as Partial<Property>;
  if (type === 'Property' && lists.has(key?.name ?? '') && shorthand !== true)
    return isList(value?.type);
  return (
    type === 'Property' &&
    keys.has(key?.name ?? '') &&
    value !== undefined &&
    (value.type === 'Literal' || value.type === 'TemplateLiteral') &&
    value.end - value.start > MIN_LENGTH
  );
}

/** A list, or the name of one. */
const isList = (type: string | undefined) => type === 'ArrayExpression' || type === 'Identifier';
