import { ApiError } from '@bellhop/protocol';

/** The parts of a request that the server refused, each with its reason: `.s@x: Enter a valid ...`. */
export function refusedParts(error: unknown): string[] {
  const listed = error instanceof ApiError ? error.data['errors'] : undefined;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((one: unknown) => {
    const [part, reason] = Array.isArray(one) ? (one as unknown[]) : [];
    return typeof part === 'string' && typeof reason === 'string' ? [`${part}: ${reason}`] : [];
  });
}
