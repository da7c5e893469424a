import type { H2PoolState } from '../http2/h2-pool.ts';
import type { Verdict } from './verdict.ts';

/** A push provider: every outcome is a verdict, also trouble on the way there. */
export interface Provider<Notification> {
  /** `attempt` counts from 0; the delay of a `retry` grows with it. */
  send(notification: Notification, attempt: number): Promise<Verdict>;
  state(): { readonly pool: H2PoolState; readonly credentialAgeMs: number | undefined };
  close(): void;
}
