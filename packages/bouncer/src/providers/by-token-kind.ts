import { TokenKind } from '@bellhop/protocol/bouncer';

/** An object with one value for each kind of token. */
export const byTokenKind = <T extends Readonly<Record<TokenKind, unknown>>>(
  make: <K extends TokenKind>(kind: K) => T[K],
): T => Object.fromEntries(TokenKind.options.map((kind) => [kind, make(kind)])) as T;
