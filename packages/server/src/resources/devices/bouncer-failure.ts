import { ConnectionFailed } from '@bellhop/client';
import { retry } from '@bellhop/jobs';
import { ApiError, type ErrorCode } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Tables } from '../../tables.ts';

/** What went wrong between this server and the bouncer, and so who can do something about it. */
export interface BouncerTrouble {
  /**
   * `unreachable`: the network. `failing`: the bouncer has a problem of its own. `administrative`:
   * this server, its realm or its configuration are not accepted. `refused`: what was sent is not.
   */
  readonly kind: 'unreachable' | 'failing' | 'administrative' | 'refused';
  readonly code?: ErrorCode;
  /** For the log; holds nothing secret. */
  readonly reason: string;
  /** The bouncer asked to be left alone for so long. */
  readonly afterSeconds?: number;
}

const administrative: ReadonlySet<ErrorCode> = new Set([
  'INVALID_ZULIP_SERVER',
  'HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR',
  'PUSH_NOTIFICATIONS_DISALLOWED',
]);
/** No verdict on the content of a request: who asks, at which address, how often. */
const aboutTheCaller = new Set([401, 403, 404, 405, 408, 429]);

/** Sorts an error of the bouncer's client. Throws again whatever did not come from the bouncer. */
export function troubleOf(error: unknown): BouncerTrouble {
  if (error instanceof ConnectionFailed) {
    const reason = `${error.message}${causeOf(error)}`;
    if (error.status === undefined) return { kind: 'unreachable', reason };
    return { kind: error.status >= 500 ? 'failing' : 'administrative', reason };
  }
  if (!(error instanceof ApiError)) throw error;
  const { code, status, message } = error;
  const reason = `${status} ${code}: ${message}`;
  if (status >= 500) return { kind: 'failing', code, reason };
  const after = Number(error.data['retry-after']);
  if (aboutTheCaller.has(status) || administrative.has(code))
    return {
      kind: 'administrative',
      code,
      reason,
      ...(status === 429 && after > 0 ? { afterSeconds: Math.ceil(after) } : {}),
    };
  return { kind: 'refused', code, reason };
}

/** The outcome of a job that the trouble kept from its work. */
export const retryAfter = ({ reason, afterSeconds }: BouncerTrouble) =>
  retry<Tables>({ reason, ...(afterSeconds === undefined ? {} : { afterSeconds }) });

/** An error line where an administrator has to act, a warning where waiting will do. */
export function logTrouble({ log }: App, { kind, reason }: BouncerTrouble, what: string): void {
  if (kind === 'administrative' || kind === 'refused')
    log.error({ kind, reason }, `push bouncer: ${what}`);
  else log.warn({ kind, reason }, `push bouncer: ${what}`);
}

/** `connect ECONNREFUSED 127.0.0.1:4602`, which fetch hides two causes deep. */
function causeOf({ cause }: Error): string {
  const inner = cause instanceof Error ? (cause.cause ?? cause) : undefined;
  if (!(inner instanceof Error)) return '';
  const code = 'code' in inner ? String(inner.code) : inner.name;
  return ` (${inner.message.slice(0, 200) || code})`;
}
