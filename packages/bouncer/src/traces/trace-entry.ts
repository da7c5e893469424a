import {
  isPushRequestFor,
  type LinkAttempt,
  type PushOutcome,
  type PushRequest,
  type PushStage,
} from '@bellhop/protocol/bouncer';

import { shortHash } from '../devices/token-hash.ts';
import type { LinkNotes } from '../providers/link-notes.ts';
import type { NotificationVerdict } from '../providers/provider-verdict.ts';
import type { StoredStage } from '../storage/tables.ts';

/** A row of `push_trace` before its ciphertext is hashed. */
export interface TraceEntry {
  readonly realm_uuid: string;
  readonly server_uuid: string;
  readonly push_id: string;
  /** Null: the realm has no device with the token_id of the item. */
  readonly device_id: number | null;
  readonly encrypted_data: string;
  readonly entry: StoredStage;
}

/** A notification that was sent, as its trace shows it. */
export interface SentPush {
  readonly device: { readonly token_hash: Buffer };
  readonly attempts: readonly LinkAttempt[];
  readonly trace_id: string | undefined;
  readonly expiresAt?: number | undefined;
}

interface TracedPush {
  readonly realm_uuid: string;
  readonly server_uuid: string;
  readonly stage: PushStage['stage'];
  /** UNIX milliseconds. */
  readonly began: number;
  readonly ended: number;
  readonly request: PushRequest;
  readonly outcome: PushOutcome;
  /** Undefined if the realm has no such device, or if nothing was sent to it. */
  readonly push: SentPush | undefined;
}

export function traceEntry(traced: TracedPush): TraceEntry {
  const { realm_uuid, server_uuid, request, outcome, push, stage, began, ended } = traced;
  return {
    realm_uuid,
    server_uuid,
    push_id: outcome.push_id,
    device_id: outcome.device_id,
    encrypted_data: request.payload.encrypted_data,
    entry: {
      ...(request.token_id === undefined ? {} : { token_id: request.token_id }),
      provider: outcome.provider ?? null,
      token_hash: push ? shortHash(push.device) : null,
      priority: priorityOf(request),
      expires_ms: push?.expiresAt === undefined ? null : Math.round(push.expiresAt),
      stage: {
        stage,
        began_ms: Math.round(began),
        ended_ms: Math.round(ended),
        attempts: [...(push?.attempts ?? [])],
        outcome: outcome.outcome,
        reason: outcome.reason ?? null,
        provider_id: outcome.provider_id ?? null,
        retry_at: outcome.retry_at ?? null,
        trace_id: push?.trace_id ?? null,
      },
    },
  };
}

function priorityOf(request: PushRequest): string {
  if (isPushRequestFor.apns(request)) return String(request.http_headers.apns_priority);
  return isPushRequestFor.fcm(request) ? request.fcm_priority : request.webpush_headers.urgency;
}

interface EndedAttempt {
  /** From 0. */
  readonly number: number;
  /** UNIX milliseconds. */
  readonly started: number;
  readonly answered: number;
  readonly app: string | null;
  readonly notes: LinkNotes;
  readonly verdict: NotificationVerdict;
}

export function linkAttempt(ended: EndedAttempt): LinkAttempt {
  const { number, started, answered, app, notes, verdict } = ended;
  return {
    number: number + 1,
    started_ms: Math.round(started),
    answered_ms: Math.round(answered),
    environment: notes.environment ?? null,
    app,
    bytes: notes.bytes ?? null,
    max_bytes: notes.maxBytes ?? null,
    session: notes.session ?? null,
    waited_ms: notes.waitedMs === undefined ? null : Math.round(notes.waitedMs),
    status: notes.status ?? null,
    retry_after: notes.retryAfter ?? null,
    verdict: verdict.kind,
    reason: 'reason' in verdict ? verdict.reason : null,
    wait_seconds: verdict.kind === 'retry' ? verdict.after : null,
  };
}
