import type { Json } from './json-tree.tsx';

/** The value of a JSON text; undefined if it is none. */
export function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
