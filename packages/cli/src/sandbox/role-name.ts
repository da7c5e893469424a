import { roles } from '@bellhop/protocol';

/** What people call a role number. */
export const roleName = (role: number): string =>
  Object.entries(roles).find(([, number]) => number === role)?.[0] ?? String(role);
