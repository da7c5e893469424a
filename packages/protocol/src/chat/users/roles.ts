/** Roles of users by name (spec, Conventions 9). A lower number has more permissions. */
export const roles = { owner: 100, admin: 200, moderator: 300, member: 400, guest: 600 } as const;
