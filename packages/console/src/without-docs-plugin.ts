import type { Plugin } from 'vite';

/** Shorter texts may be data, such as a default. */
const MIN_LENGTH = 12;
const keys = new Set(['summary', 'description']);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}
interface Property extends Node {
  readonly key: { readonly name?: string };
  readonly value: Node;
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
      for (const { start, end } of documentationOf(this.parse(code, { lang })).toReversed())
        text = `${text.slice(0, start)}''${text.slice(end)}`;
      return { code: text, map: null };
    },
  };
}

/** The values of all properties named summary or description that are plain texts. */
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
  const { type, key, value } = node as Partial<Property>;
  return (
    type === 'Property' &&
    keys.has(key?.name ?? '') &&
    value !== undefined &&
    (value.type === 'Literal' || value.type === 'TemplateLiteral') &&
    value.end - value.start > MIN_LENGTH
  );
}
