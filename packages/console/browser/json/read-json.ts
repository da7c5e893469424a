import type { Json } from './json-tree.tsx';

/** Parses a JSON text; undefined if it is invalid. */
export function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
