/**
 * A schema as data, for programs that must not load zod: bots and their client. `describe` makes it of
 * a zod schema, `shapeReader` reads values with it. Of the checks it keeps what a reader relies on:
 * types, required keys and the patterns of texts, not the bounds of numbers and lengths.
 */
export type Shape =
  | 'string'
  | 'number'
  | 'int'
  | 'boolean'
  | 'unknown'
  | { readonly pattern: string }
  | { readonly oneOf: readonly unknown[] }
  /** Texts that are read as other texts. */
  | { readonly renamed: Readonly<Record<string, string>> }
  /** A bigint, which JSON text of a large integer becomes, read as a number. */
  | { readonly rounded: true }
  | { readonly array: Shape }
  | { readonly tuple: readonly Shape[] }
  | { readonly record: Shape }
  | { readonly object: Readonly<Record<string, Shape>>; readonly others?: Shape }
  | { readonly union: readonly Shape[] }
  | { readonly nullable: Shape }
  | { readonly optional: Shape }
  | { readonly missing: unknown; readonly else: Shape };
