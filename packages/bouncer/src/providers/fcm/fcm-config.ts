import { json, Origin } from '../../settings/schemas.ts';
import type { VariableReader } from '../../settings/variable-reader.ts';
import { openAccountKey, ServiceAccount } from './service-account.ts';

export interface FcmConfig {
  readonly url: string;
  readonly account: ServiceAccount;
}

/** Undefined if no service account is set, or if something is wrong. */
export function readFcmConfig(reader: VariableReader): FcmConfig | undefined {
  const account = reader.parse('BELLHOP_BOUNCER_FCM_ACCOUNT', json(ServiceAccount));
  const url = reader.parse('BELLHOP_BOUNCER_FCM_URL', Origin);
  if (account) reader.check('BELLHOP_BOUNCER_FCM_ACCOUNT', () => openAccountKey(account));
  return account && url ? { url, account } : undefined;
}
