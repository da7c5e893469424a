import type { PermissionCases } from '../../permission-case.fixture.ts';

const routes = ['PATCH /settings', 'PATCH /settings/notifications', 'PATCH /settings/display'];
let people = 0;

export const permissions: PermissionCases = Object.fromEntries(
  routes.flatMap((route) => [
    [`${route}: change your name`, async () => ({ sample: { full_name: `Named ${++people}` } })],
    [
      `${route}: change your address`,
      async () => ({ sample: { email: `address${++people}@chat.test` } }),
    ],
  ]),
);
