import { z } from 'zod';

const Part = z.record(z.string(), z.unknown());

/** The parts of a JSON Web Token. Its signature is unchecked. */
export interface Jwt {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  signed: Buffer;
  signature: Buffer;
}

/** Parses a compact token; undefined if it is malformed. */
export function parseJwt(text: string): Jwt | undefined {
  const [header, claims, signature, ...rest] = text.split('.');
  if (header === undefined || claims === undefined || signature === undefined) return undefined;
  if (rest.length > 0) return undefined;
  const parsedHeader = parsePart(header);
  const parsedClaims = parsePart(claims);
  if (parsedHeader === undefined || parsedClaims === undefined) return undefined;
  return {
    header: parsedHeader,
    claims: parsedClaims,
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, 'base64url'),
  };
}

function parsePart(part: string): Record<string, unknown> | undefined {
  try {
    return Part.parse(JSON.parse(Buffer.from(part, 'base64url').toString('utf8')));
  } catch {
    return undefined;
  }
}
