import { badRequest, type Bouncer } from '@bellhop/protocol';

import type { HandlersOf } from '../app.ts';

/**
 * Chat servers call these operations when a user logs out of a phone or is deactivated. Any other
 * answer would make the user's call fail. The token of an encrypted registration stays: it may
 * belong to another account on the phone, which only the chat server knows.
 */
export const legacyPush: Pick<HandlersOf<Bouncer['push']>, 'unregister' | 'unregisterAll'> = {
  unregister: () => Promise.reject(badRequest('Token does not exist')),
  unregisterAll: () => Promise.resolve({}),
};
