import { badRequest, type PushRegistration } from '@bellhop/protocol/bouncer';

import { providers } from '../providers/providers.ts';
import type { Sender } from '../providers/sender.ts';
import type { Senders } from '../providers/senders.ts';

/**
 * The sender of a device. Throws BAD_REQUEST if the bouncer has credentials with the provider, but
 * none for the app of the phone. Without any credentials the phone is registered nevertheless: the
 * operator may set the provider up later.
 */
export function requireSender(
  senders: Senders,
  registration: PushRegistration,
): Sender | undefined {
  const { token, token_kind, ios_app_id = null, android_app_id = null } = registration;
  const { appOf, title } = providers[token_kind];
  const appId = appOf({ token, ios_app_id, android_app_id });
  const sender = senders.find(token_kind, appId);
  if (sender || !senders.isConfigured(token_kind)) return sender;
  throw badRequest(
    `Invalid encrypted_push_registration: this bouncer has no ${title} credentials for ${
      appId === null ? 'phones that name no app (android_app_id)' : `the app ${appId}`
    }`,
  );
}
