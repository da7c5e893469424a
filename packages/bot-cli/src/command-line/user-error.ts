/** A failure that the user can mend. Its message says how; it is printed without a stack. */
export class UserError extends Error {}

/** A command line that parses but lacks something. The exit code is 2. */
export class UsageError extends UserError {}

/** Rethrows an error as a UserError, for failures whose message is meant for the user. */
export function rethrowAsUserError(error: unknown): never {
  if (error instanceof UserError) throw error;
  throw new UserError(error instanceof Error ? error.message : String(error), { cause: error });
}
