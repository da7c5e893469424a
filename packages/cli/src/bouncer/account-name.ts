import { userInfo } from 'node:os';

/** The system account that runs the command, for the audit log. */
export function accountName(env: NodeJS.ProcessEnv): string {
  try {
    return env['SUDO_USER'] || userInfo().username;
  } catch {
    return 'unknown'; // A container may run as a user without an account.
  }
}
