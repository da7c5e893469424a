import {
  ApiError,
  badRequest,
  PushRegistration,
  REGISTRATION_LIFETIME,
} from '@bellhop/protocol/bouncer';
import { openJson, sealing } from '@bellhop/push-crypto';

import type { KeyPairs } from '../keys/key-pairs.ts';
import { providers } from '../providers/providers.ts';

/**
 * How far a phone's clock may be ahead, in seconds: a clock set to another time zone, or a day off. The
 * date must have a limit, because until a day after it anybody who has the sealed registration can
 * register it again.
 */
const CLOCK_TOLERANCE = 86_400;

interface Sealed {
  readonly encrypted_push_registration: string;
  readonly bouncer_public_key: string;
}

/**
 * Opens a sealed registration and checks it. Throws INVALID_BOUNCER_PUBLIC_KEY; REQUEST_EXPIRED if
 * it is older than a day; BAD_REQUEST if it cannot be opened, does not match the schema or is dated
 * more than a day ahead.
 */
export function openRegistration(
  keyPairs: KeyPairs,
  sealed: Sealed,
  nowMs: number,
): PushRegistration {
  const keyPair = keyPairs.get(sealed.bouncer_public_key);
  if (!keyPair) throw new ApiError('INVALID_BOUNCER_PUBLIC_KEY');
  const parsed = PushRegistration.safeParse(contentOf(sealed, keyPair));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue?.path.join('.') ?? '';
    throw invalid(
      `${where === '' ? '' : `${where}: `}${issue?.message ?? 'does not match the schema'}`,
    );
  }
  const registration = parsed.data;
  if (/\p{Cc}/u.test(registration.token)) throw invalid('token: control characters');
  const age = Math.floor(nowMs / 1_000) - registration.timestamp;
  if (age > REGISTRATION_LIFETIME) throw new ApiError('REQUEST_EXPIRED');
  if (age < -CLOCK_TOLERANCE)
    throw invalid(
      `timestamp: ${Math.floor(-age / 3_600)} hours in the future: set the clock of the phone, or of the bouncer if it is behind`,
    );
  const { normalizeToken } = providers[registration.token_kind];
  return { ...registration, token: normalizeToken(registration.token) };
}

function contentOf(sealed: Sealed, keyPair: Parameters<typeof openJson>[2]): unknown {
  try {
    return openJson(sealing, sealed.encrypted_push_registration, keyPair);
  } catch {
    throw invalid('it cannot be opened with this key');
  }
}

const invalid = (what: string) => badRequest(`Invalid encrypted_push_registration: ${what}`);
