import type { Config } from '../../config.ts';
import type { Realm } from '../../engine/caller.ts';

const MIB = 1_048_576;

/** The largest file and the quota of the realm in bytes; without a quota there is no limit. */
export function uploadLimits(
  { maxUploadMib, uploadQuotaMib }: Pick<Config, 'maxUploadMib' | 'uploadQuotaMib'>,
  { settings }: Pick<Realm, 'settings'>,
): { maxBytes: number; quota: number | undefined; quotaMib: number | null } {
  const own = settings['upload_quota_mib'];
  const quotaMib = typeof own === 'number' ? own : (uploadQuotaMib ?? null);
  return {
    maxBytes: maxUploadMib * MIB,
    quota: quotaMib === null ? undefined : quotaMib * MIB,
    quotaMib,
  };
}
