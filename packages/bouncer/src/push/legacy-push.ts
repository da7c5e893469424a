import { badRequest, type Bouncer } from '@bellhop/protocol';

import type { HandlersOf } from '../app.ts';

/**
 * Chat servers call these when a user logs out of a phone or is deactivated, and let the call of the user fail
 * for any other answer. A token of an encrypted registration stays: it may be that of another account on the
 * phone, and only its chat server knows.
 */
export const legacyPush: Pick<HandlersOf<Bouncer['push']>, 'unregister' | 'unregisterAll'> = {
  unregister: () => Promise.reject(badRequest('Token does not exist')),
  unregisterAll: () => Promise.resolve({}),
};
