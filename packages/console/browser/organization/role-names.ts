import type { Role } from '@bellhop/protocol';

export const roleNames: Readonly<Record<Role, string>> = {
  100: 'Owner',
  200: 'Administrator',
  300: 'Moderator',
  400: 'Member',
  600: 'Guest',
};
