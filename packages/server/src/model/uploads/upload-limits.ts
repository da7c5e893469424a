import { ApiError } from '@bellhop/protocol';

import type { Config } from '../../config.ts';
import type { Realm } from '../../engine/caller.ts';
import type { SpaceHeld } from './queries.ts';

const MIB = 1_048_576;

type LimitsConfig = Pick<Config, 'maxUploadMib' | 'uploadQuotaMib' | 'userUploadQuotaMib'>;

/** Limits in MiB: the largest file, the quota of the realm and that of each user. */
export function uploadLimits(
  { maxUploadMib, uploadQuotaMib, userUploadQuotaMib }: LimitsConfig,
  { settings }: Pick<Realm, 'settings'>,
) {
  const own = settings['upload_quota_mib'];
  return {
    maxMib: maxUploadMib,
    realmQuotaMib: typeof own === 'number' ? own : uploadQuotaMib,
    userQuotaMib: userUploadQuotaMib,
  };
}

/** Throws REALM_UPLOAD_QUOTA if the realm or the user has more bytes than their quota. */
export function requireQuota(
  held: SpaceHeld,
  { realmQuotaMib, userQuotaMib }: ReturnType<typeof uploadLimits>,
): void {
  if (held.realm > realmQuotaMib * MIB) throw new ApiError('REALM_UPLOAD_QUOTA');
  if (held.user > userQuotaMib * MIB)
    throw new ApiError('REALM_UPLOAD_QUOTA', {
      message: `Upload would exceed your upload quota of ${userQuotaMib} MiB: remove files that you no longer need.`,
    });
}
