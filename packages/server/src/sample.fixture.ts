/** Parameters of a request as text, path variables included. */
export type Sample = Record<string, string>;
