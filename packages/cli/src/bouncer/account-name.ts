import { userInfo } from 'node:os';

/**
 * The system account that runs the command, for the audit log. It goes beside the token of the operator,
 * where a colon would end it: HTTP Basic has none in names.
 */
export function accountName(env: NodeJS.ProcessEnv): string {
  return (env['SUDO_USER'] || ownName()).replaceAll(':', '') || UNKNOWN;
}

const UNKNOWN = 'unknown';

function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return UNKNOWN; // A container may run as a user without an account.
  }
}
