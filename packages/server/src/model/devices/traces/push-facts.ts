import type { PushTrace, PushTrigger } from '@bellhop/protocol';

/** Why something is pushed. */
export interface PushCause {
  /** The trigger of a message. */
  readonly trigger: PushTrigger | null;
  readonly waited_for_idle: boolean;
  /** When the push was decided, UNIX milliseconds. */
  readonly event_ms: number | null;
  /** When the job began that pushes it, UNIX milliseconds. */
  readonly job_ms: number | null;
}

/** How a notification was encrypted. */
export type Encryption = Pick<PushTrace, 'encrypted_ms' | 'plaintext_bytes' | 'padded_bytes'>;

/** The fields of a trace that its row stores as JSON. */
export type PushFacts = PushCause &
  Encryption &
  Pick<PushTrace, 'type' | 'token_kind' | 'key_fingerprint'> &
  // Traces of earlier versions have none.
  Partial<Pick<PushTrace, 'push_key_id'>>;
