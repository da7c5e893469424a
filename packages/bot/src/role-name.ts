import type { roles } from '@bellhop/protocol';

/** The roles of users, except guests. */
export type RoleName = Exclude<keyof typeof roles, 'guest'>;
