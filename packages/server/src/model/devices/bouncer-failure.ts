import { ConnectionFailed } from '@bellhop/client';
import { retry } from '@bellhop/jobs';
import { ApiError, type ErrorCode } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Tables } from '../../engine/tables.ts';
import { oneLine } from './message-push/cut-text.ts';

/** Why a request to the bouncer failed. `kind` names the party that can mend it. */
export interface BouncerFailure {
  /**
   * `unreachable`: no HTTP response. `failing`: a status of 500 or above. `administrative`: the bouncer
   * rejects this server, its realm or its configuration. `refused`: it rejects the content of the
   * request.
   */
  readonly kind: 'unreachable' | 'failing' | 'administrative' | 'refused';
  readonly code?: ErrorCode;
  /** What the bouncer says is wrong, of `refused` and of a quota; it contains whatever the bouncer sends. */
  readonly message?: string;
  /** For the log; contains no secret. */
  readonly reason: string;
  /** The `Retry-After` of the bouncer. */
  readonly afterSeconds?: number;
}

const administrative: ReadonlySet<ErrorCode> = new Set([
  'INVALID_ZULIP_SERVER',
  'HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR',
  'PUSH_NOTIFICATIONS_DISALLOWED',
  // With 429, or with 503 where public servers would give up at 429.
  'RATE_LIMIT_HIT',
]);
/** Statuses about the caller, the address or the rate of requests, not about their content. */
const administrativeStatuses = new Set([401, 403, 404, 405, 408, 429]);

/** Classifies an error of the bouncer's client. Throws every other error again. */
export function failureOf(error: unknown): BouncerFailure {
  if (error instanceof ConnectionFailed) {
    const reason = `${error.message}${causeOf(error)}`;
    if (error.status === undefined) return { kind: 'unreachable', reason };
    return { kind: error.status >= 500 ? 'failing' : 'administrative', reason };
  }
  if (!(error instanceof ApiError)) throw error;
  const { code, status, message } = error;
  const reason = `${status} ${code}: ${message}`;
  const isEarly = status === 429 || code === 'RATE_LIMIT_HIT';
  if (status >= 500 && !isEarly) return { kind: 'failing', code, reason };
  const after = Number(error.data['retry-after']);
  if (code === 'IDEMPOTENCY_KEY_IN_USE')
    return { kind: 'failing', code, reason, afterSeconds: Math.ceil(after) || 1 };
  if (administrativeStatuses.has(status) || administrative.has(code))
    return {
      kind: 'administrative',
      code,
      reason,
      ...(isEarly && { message, ...(after > 0 && { afterSeconds: Math.ceil(after) }) }),
    };
  return { kind: 'refused', code, message, reason };
}

/** The result of a job that could not do its work because of the failure: retry it. */
export const retryAfter = ({ reason, afterSeconds }: BouncerFailure) =>
  retry<Tables>({ reason, ...(afterSeconds === undefined ? {} : { afterSeconds }) });

/** The code for a user whose request needs the bouncer. */
export const errorCodes = {
  unreachable: 'FAILED_TO_CONNECT_BOUNCER',
  failing: 'INTERNAL_SERVER_ERROR_ON_BOUNCER',
  administrative: 'ADMIN_ACTION_REQUIRED',
  // This server wrote the request, so a user cannot mend it.
  refused: 'ADMIN_ACTION_REQUIRED',
} as const satisfies Record<BouncerFailure['kind'], string>;

const MAX_MESSAGE_LENGTH = 500;

/** For a user whose request the bouncer has no quota for; undefined for other failures. */
export const quotaMessage = ({
  code,
  message = '',
  afterSeconds,
}: BouncerFailure): string | undefined =>
  code === 'RATE_LIMIT_HIT'
    ? `The push bouncer takes no more notifications of this server ${afterSeconds === undefined ? 'now' : `for ${afterSeconds} seconds`}: ${oneLine(message, MAX_MESSAGE_LENGTH)}`
    : undefined;

/** Logs an error if an administrator has to act, a warning if a later attempt may succeed. */
export function logFailure(
  { log }: Pick<App, 'log'>,
  { kind, reason }: BouncerFailure,
  what: string,
): void {
  if (kind === 'administrative' || kind === 'refused')
    log.error({ kind, reason }, `push bouncer: ${what}`);
  else log.warn({ kind, reason }, `push bouncer: ${what}`);
}

/** The network error, such as `connect ECONNREFUSED 127.0.0.1:4602`: the cause of the cause of fetch's error. */
function causeOf({ cause }: Error): string {
  const inner = cause instanceof Error ? (cause.cause ?? cause) : undefined;
  if (!(inner instanceof Error)) return '';
  const code = 'code' in inner ? String(inner.code) : inner.name;
  return ` (${inner.message.slice(0, 200) || code})`;
}
