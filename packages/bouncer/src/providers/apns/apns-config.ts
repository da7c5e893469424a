import { z } from 'zod';

import { Origin } from '../../settings/schemas.ts';
import type { VariableReader } from '../../settings/variable-reader.ts';
import { openSigningKey } from './provider-token.ts';

export interface ApnsConfig {
  readonly url: string;
  readonly teamId: string;
  readonly keyId: string;
  /** The text of Apple's `.p8` file. */
  readonly privateKey: string;
}

export const AppleId = z.string().regex(/^[A-Z0-9]{10}$/, 'must be 10 capital letters and digits');

/** Undefined if no signing key is set, or if something is wrong. */
export function readApnsConfig(reader: VariableReader): ApnsConfig | undefined {
  reader.requireFor('BELLHOP_BOUNCER_APNS_KEY', [
    'BELLHOP_BOUNCER_APNS_KEY_ID',
    'BELLHOP_BOUNCER_APNS_TEAM_ID',
  ]);
  const privateKey = reader.text('BELLHOP_BOUNCER_APNS_KEY');
  if (privateKey === undefined) return undefined;
  const keyId = reader.require('BELLHOP_BOUNCER_APNS_KEY_ID', AppleId);
  const teamId = reader.require('BELLHOP_BOUNCER_APNS_TEAM_ID', AppleId);
  const url = reader.parse('BELLHOP_BOUNCER_APNS_URL', Origin);
  reader.check('BELLHOP_BOUNCER_APNS_KEY', () => openSigningKey(privateKey));
  return keyId && teamId && url ? { url, keyId, teamId, privateKey } : undefined;
}
