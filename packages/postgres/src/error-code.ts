/** The SQLSTATE of an error the database answered with ('23505' is a unique violation), else undefined. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
