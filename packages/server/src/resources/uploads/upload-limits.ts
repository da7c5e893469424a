import type { Config } from '../../config.ts';
import type { Realm } from '../../engine/caller.ts';

const MIB = 1_048_576;

/** How much may be uploaded, in bytes: one file, and all files of the realm; no quota: any amount. */
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
