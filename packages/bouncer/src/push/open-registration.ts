import { ApiError, badRequest, PushRegistration, REGISTRATION_LIFETIME } from '@bellhop/protocol';
import { openJson, sealing } from '@bellhop/push-crypto';

import { providers } from '../providers/providers.ts';
import type { KeyRing } from './key-ring.ts';

/** How far a phone's clock may be ahead, in seconds. */
const CLOCK_TOLERANCE = 300;

interface Sealed {
  readonly encrypted_push_registration: string;
  readonly bouncer_public_key: string;
}

/**
 * Opens a sealed registration and checks it. Throws INVALID_BOUNCER_PUBLIC_KEY; REQUEST_EXPIRED if
 * it is older than a day; BAD_REQUEST if it cannot be opened, does not match the schema or is dated
 * in the future (such a registration could be replayed until that date).
 */
export function openRegistration(ring: KeyRing, sealed: Sealed, nowMs: number): PushRegistration {
  const keyPair = ring.get(sealed.bouncer_public_key);
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
  if (age < -CLOCK_TOLERANCE) throw invalid('timestamp: in the future; check the clock');
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
