import type { LinkAttempt, PushRequest, TokenKind } from '@bellhop/protocol/bouncer';

import type { Device } from '../devices/queries.ts';
import type { ProviderNotification } from '../providers/provider.ts';
import { providers } from '../providers/providers.ts';

/** A notification on its way to one device. */
export interface Push<K extends TokenKind = TokenKind> extends ProviderNotification<K> {
  readonly kind: K;
  readonly device: Device;
  /** The trace of the request that it came with. */
  readonly trace_id: string | undefined;
  /** The attempts for the trace of the push; `attempt` adds them. */
  readonly attempts: LinkAttempt[];
}

interface PushParts {
  /** UUID, the same for all attempts. */
  readonly id: string;
  readonly device: Device;
  readonly request: PushRequest;
  readonly trace_id: string | undefined;
  /** UNIX milliseconds. */
  readonly now: number;
  /** The expiry of a request that arrived earlier; default: the expiry in the request. */
  readonly expiresAt?: number | undefined;
}

/** Undefined if the request is for devices of another provider. */
export const createPush = (parts: PushParts): Push | undefined =>
  pushOf(parts.device.token_kind, parts);

function pushOf<K extends TokenKind>(
  kind: K,
  { id, device, request, trace_id, ...parts }: PushParts,
) {
  const { isRequest, expiryOf } = providers[kind];
  if (!isRequest(request)) return undefined;
  const expiresAt = parts.expiresAt ?? expiryOf(request, parts.now);
  return { id, kind, device, request, trace_id, expiresAt, attempts: [] };
}
