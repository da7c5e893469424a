import { ApiError, badRequest, type Bouncer } from '@bellhop/protocol/bouncer';

import type { App, HandlersOf } from '../app.ts';
import type { RemoteServer } from '../servers/queries.ts';
import { pushStatusOf } from './announce.ts';

type Operations = Pick<
  Bouncer['push'],
  'registerToken' | 'unregister' | 'unregisterAll' | 'notifyTokens' | 'testToken'
>;

/**
 * Answers for device tokens that are registered without encryption: the bouncer has none. Chat
 * servers call these operations beside the encrypted ones, and some answers would make them fail:
 * without a success of `notifyTokens` they do not go on to the encrypted notifications of the user.
 * The token of an encrypted registration stays: it may belong to another account on the phone,
 * which only the chat server knows.
 */
export const legacyPush: HandlersOf<Operations> = {
  registerToken: () =>
    Promise.reject(
      badRequest(
        'This server sends encrypted notifications only, which this version of the app does not support: update the app',
      ),
    ),
  unregister: () => Promise.reject(badRequest('Token does not exist')),
  unregisterAll: () => Promise.resolve({}),
  notifyTokens: async ({ params, server, app }) => ({
    total_android_devices: 0,
    total_apple_devices: 0,
    deleted_devices: {
      android_devices: params.android_devices,
      apple_devices: params.apple_devices,
    },
    realm: await statusOf(app, server, params.realm_uuid),
  }),
  testToken: () => Promise.reject(new ApiError('INVALID_REMOTE_PUSH_DEVICE_TOKEN')),
};

/** Null for a realm that the server has not announced. */
async function statusOf({ realms }: App, server: RemoteServer, uuid: string | undefined) {
  const realm = uuid === undefined ? undefined : await realms.add(uuid);
  return realm?.server_uuid === server.server_uuid ? pushStatusOf(realm) : null;
}
