import type { PermissionCases } from '../../permission-case.fixture.ts';

export const permissions: PermissionCases = {
  'POST /users/me/avatar: change your avatar': async () => ({ sample: {} }),
  'DELETE /users/me/avatar: change your avatar': async () => ({ sample: {} }),
};
