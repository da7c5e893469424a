import {
  ApiError,
  badRequest,
  type Bouncer,
  missingParameter,
  type ParamsOf,
} from '@bellhop/protocol/bouncer';

import type { Handler } from '../app.ts';
import { openRegistration } from '../devices/open-registration.ts';
import { requireSender } from '../devices/require-sender.ts';
import { shortText, tokenHash } from '../devices/token-hash.ts';
import { requireRealm } from '../servers/require-realm.ts';
import type { DeviceName } from '../storage/device-name.ts';

/**
 * Registers a device. A repeated registration returns the same device_id. Each registration is good for one
 * account of one realm, or for one token_id of one realm.
 */
export const register: Handler<Bouncer['push']['register']> = async ({
  params,
  server,
  spend,
  app,
}) => {
  const { metrics, log } = app;
  try {
    const name = deviceNameOf(params);
    await spend({ rates: ['registrations_per_minute'], count: 1 });
    const realm = await requireRealm(app.realms, server, params.realm_uuid);
    const registration = openRegistration(await app.keyRing.current(), params, app.now());
    const { token_kind } = registration;
    const sender = requireSender(app.senders, registration);
    if (params.token_kind !== undefined && params.token_kind !== token_kind)
      throw badRequest(
        `Invalid encrypted_push_registration: token_kind is ${token_kind}, not ${params.token_kind}`,
      );
    const { token, ios_app_id = null, webpush_keys = null } = registration;
    const refusal = sender?.gateways[0]?.connection.refusalOf?.({
      token,
      ios_app_id,
      webpush_keys,
    });
    if (refusal !== undefined) throw badRequest(`Invalid encrypted_push_registration: ${refusal}`);
    const realmUuid = realm.realm_uuid;
    const hash = tokenHash(registration);
    await app.quotas.requireRoom(server, { realmUuid, name, tokenHash: hash });
    const { deviceId, sameTokenDeviceIds } = await app.registrations.add({
      sealed: params.encrypted_push_registration,
      realmUuid,
      name,
      registration,
      tokenHash: hash,
      bouncerPublicKey: params.bouncer_public_key,
      registeredAt: Math.min(registration.timestamp * 1_000, app.now()),
      at: new Date(app.now()),
    });
    metrics.registrations.inc({ result: 'registered' });
    log.info({ device_id: deviceId, token: shortText(hash) }, 'device registered');
    return {
      device_id: deviceId,
      token_kind,
      same_token_device_ids: [...sameTokenDeviceIds],
    };
  } catch (error) {
    metrics.registrations.inc({ result: error instanceof ApiError ? error.code : 'failed' });
    throw error;
  }
};

/** Throws BAD_REQUEST for both names, REQUEST_VARIABLE_MISSING for none. */
function deviceNameOf({
  push_account_id: pushAccountId,
  token_id: tokenId,
}: Pick<ParamsOf<Bouncer['push']['register']>, 'push_account_id' | 'token_id'>): DeviceName {
  if (tokenId !== undefined && pushAccountId !== undefined)
    throw badRequest(
      'token_id and push_account_id name a device in different versions of the protocol: send one of them',
    );
  if (tokenId !== undefined) return { tokenId };
  if (pushAccountId !== undefined) return { pushAccountId };
  throw missingParameter('push_account_id', ", or 'token_id' from level 468 on");
}
