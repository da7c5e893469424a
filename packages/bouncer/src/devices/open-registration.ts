import {
  ApiError,
  badRequest,
  PushRegistration,
  REGISTRATION_LIFETIME,
} from '@bellhop/protocol/bouncer';
import { BadEncoding, CannotOpenBox, openJson, sealing, tokenId } from '@bellhop/push-crypto';
import type { z } from 'zod';

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
  /** What names the token, if its chat server is of level 468 or later. */
  readonly token_id?: string | undefined;
}

/**
 * Opens a sealed registration and checks it. Throws INVALID_BOUNCER_PUBLIC_KEY; REQUEST_EXPIRED if
 * it is older than a day; BAD_REQUEST if it cannot be opened, does not match the schema, has another
 * token than the `token_id` beside it or is dated more than a day ahead.
 */
export function openRegistration(
  keyPairs: KeyPairs,
  sealed: Sealed,
  nowMs: number,
): PushRegistration {
  const keyPair = keyPairs.get(sealed.bouncer_public_key);
  if (!keyPair) throw unknownKey();
  const content = contentOf(sealed, keyPair);
  const parsed = PushRegistration.safeParse(content);
  if (!parsed.success) throw invalid(describeIssue(parsed.error, content));
  const registration = parsed.data;
  if (/\p{Cc}/u.test(registration.token)) throw invalid('token: control characters');
  // Of the token in the phone's own letters: it is not normalized yet.
  if (sealed.token_id !== undefined && sealed.token_id !== tokenId(registration.token))
    throw invalid(
      `its token has another ID than token_id: the base64 of the first 8 bytes of the SHA-256 of the token, in the letters in which the box has it`,
    );
  const age = Math.floor(nowMs / 1_000) - registration.timestamp;
  if (age > REGISTRATION_LIFETIME) throw expired(age);
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
  } catch (error) {
    if (error instanceof CannotOpenBox)
      throw invalid(`${error.message}: seal it (crypto_box_seal) for bouncer_public_key`);
    if (error instanceof BadEncoding) throw invalid(error.message);
    throw error;
  }
}

/** The first fault. The texts of zod name the expected and the received type, never the value. */
function describeIssue({ issues: [issue] }: z.ZodError, content: unknown): string {
  if (!issue) return 'does not match the schema';
  const [field] = issue.path;
  if (field === undefined) return issue.message;
  const isMissing = issue.path.length === 1 && Object(content)[field] === undefined;
  if (isMissing && issue.code !== 'custom') return `${String(field)} is missing`;
  return `${issue.path.join('.')}: ${issue.message}`;
}

const unknownKey = () =>
  new ApiError('INVALID_BOUNCER_PUBLIC_KEY', {
    message:
      'The key of the bouncer that the app has (bouncer_public_key) is not among its keys: update the app, or build it with a key of this bouncer',
  });

const expired = (ageSeconds: number) =>
  new ApiError('REQUEST_EXPIRED', {
    message: `The push registration is ${Math.floor(ageSeconds / 3_600)} hours old, and is good for ${REGISTRATION_LIFETIME / 3_600}: make a new one; if it is new, set the clock of the phone`,
  });

const invalid = (what: string) => badRequest(`Invalid encrypted_push_registration: ${what}`);
