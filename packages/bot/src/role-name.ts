/** The roles of users, except guests. */
export type RoleName = 'owner' | 'admin' | 'moderator' | 'member';
