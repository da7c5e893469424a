import { roles } from '@bellhop/protocol';

/** The name of a role; the number if it has none. */
export const roleName = (role: number): string =>
  Object.entries(roles).find(([, number]) => number === role)?.[0] ?? String(role);
