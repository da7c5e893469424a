import { type ProviderAnswer, retryAfter } from './provider.ts';

const fcmErrorType = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';
const badRequestType = 'type.googleapis.com/google.rpc.BadRequest';
const quotaType = 'type.googleapis.com/google.rpc.QuotaFailure';

/** Every FCM error code with its HTTP status, Google's status name and message, and its meaning. */
export const fcmErrorCodes = {
  UNSPECIFIED_ERROR: [
    500,
    'UNKNOWN',
    'An unknown error occurred.',
    'Google failed and does not say why',
  ],
  INVALID_ARGUMENT: [
    400,
    'INVALID_ARGUMENT',
    'The request holds an invalid argument.',
    'A field of the message or the token is malformed',
  ],
  UNREGISTERED: [
    404,
    'NOT_FOUND',
    'Requested entity was not found.',
    'The app was removed: the device is gone',
  ],
  SENDER_ID_MISMATCH: [
    403,
    'PERMISSION_DENIED',
    'SenderId mismatch',
    'The token belongs to the app of another sender',
  ],
  QUOTA_EXCEEDED: [
    429,
    'RESOURCE_EXHAUSTED',
    'The quota for this resource is used up.',
    'Too many messages per minute, from the project or to one phone',
  ],
  UNAVAILABLE: [
    503,
    'UNAVAILABLE',
    'The service is currently unavailable.',
    'Google is not available: try again later',
  ],
  INTERNAL: [500, 'INTERNAL', 'Internal error encountered.', 'Google failed: try again later'],
  THIRD_PARTY_AUTH_ERROR: [
    401,
    'UNAUTHENTICATED',
    'The credential for APNs or Web Push is bad.',
    'Google has no valid credential of the app for APNs or Web Push',
  ],
} as const satisfies Record<string, readonly [number, string, string, string]>;

export type FcmErrorCode = keyof typeof fcmErrorCodes;

type Detail = { '@type': string } & Record<string, unknown>;

/** Why FCM rejects a request, for Google's error envelope. */
export class FcmRefusal extends Error {
  override readonly name = 'FcmRefusal';
  readonly status: number;
  readonly statusWord: string;
  readonly details: readonly Detail[];
  readonly outcome: string;
  readonly retryAfter: number | string | undefined;

  constructor(refusal: {
    status: number;
    statusWord: string;
    message: string;
    details?: readonly Detail[];
    outcome?: string;
    retryAfter?: number | string | undefined;
  }) {
    super(refusal.message);
    this.status = refusal.status;
    this.statusWord = refusal.statusWord;
    this.details = refusal.details ?? [];
    this.outcome = refusal.outcome ?? refusal.statusWord;
    this.retryAfter = refusal.retryAfter;
  }
}

/** A refusal with an `FcmError` detail. */
export function fcmRefusal(
  code: FcmErrorCode,
  more: { message?: string; details?: readonly Detail[]; retryAfter?: number | string } = {},
): FcmRefusal {
  const [status, statusWord, message] = fcmErrorCodes[code];
  const details = [{ '@type': fcmErrorType, errorCode: code }, ...(more.details ?? [])];
  const { retryAfter: after } = more;
  return new FcmRefusal({
    status,
    statusWord,
    message: more.message ?? message,
    details,
    outcome: code,
    retryAfter: after,
  });
}

/** The detail that names the invalid field. */
export function badField(field: string, description: string): Detail {
  return { '@type': badRequestType, fieldViolations: [{ field, description }] };
}

/** The detail that names the exceeded quota. */
export function quotaFailure(subject: string): Detail {
  const description = 'Too many messages per minute';
  return { '@type': quotaType, violations: [{ subject, description }] };
}

/** Google's error envelope. Google's details have no fixed order, so their order changes with `errorCount`. */
export function fcmErrorAnswer(refusal: FcmRefusal, errorCount: number): ProviderAnswer {
  const { status, statusWord, message, outcome } = refusal;
  const details = errorCount % 2 === 0 ? refusal.details : refusal.details.toReversed();
  const error = { code: status, message, status: statusWord };
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=UTF-8',
      ...retryAfter(refusal.retryAfter),
    },
    body: JSON.stringify({ error: details.length === 0 ? error : { ...error, details } }),
    outcome,
  };
}
