import { type PushGeneration, parseJson } from '@bellhop/protocol';

import { Deviation } from '../check.ts';
import type { ProbeResponse } from '../send.ts';
import type { Notification, TokenKind } from '../simulator-control.ts';
import type { ServerTarget } from './server-target.ts';

export interface Installed {
  readonly token: string;
  readonly token_kind: TokenKind;
  readonly app_id: string;
  /** The keys of a browser. */
  readonly subscription: { readonly p256dh: string; readonly auth: string } | null;
}

export const TEST_PATH = '/mobile_push/e2ee/test_notification';

/** The app on a phone, as its provider and its chat server know it. */
export abstract class AppOnPhone {
  readonly installed: Installed;
  protected readonly target: ServerTarget;
  #seq = 0;

  constructor(target: ServerTarget, installed: Installed) {
    this.target = target;
    this.installed = installed;
  }

  abstract readonly generation: PushGeneration;
  /** The field of a notification that names the key, and its value. */
  abstract get keyName(): readonly [name: string, value: bigint | number];
  /** Asks for a test notification on this phone. */
  abstract test(): Promise<ProbeResponse>;
  /** Whether the server would push to this phone, and its state in words. */
  abstract standing(): Promise<{ readonly isActive: boolean; readonly words: string }>;
  /** The plaintext of `encrypted_data`. Throws as a `PayloadCipher`. */
  protected abstract open(data: string): unknown;

  /** The next notification. Throws `Deviation` if none arrives in time. */
  async next(): Promise<Notification> {
    const { simulator, timeoutMs } = this.target;
    const [next] = await simulator.received(this.installed.token, this.#seq, timeoutMs);
    if (!next) throw new Deviation(`nothing arrived on the ${this.installed.token_kind} phone`);
    this.#seq = next.seq;
    return next;
  }

  /** The notifications that arrive within a moment. */
  moreWithin(ms: number): Promise<readonly Notification[]> {
    return this.target.simulator.received(
      this.installed.token,
      this.#seq,
      Math.min(ms, this.target.timeoutMs),
    );
  }

  /** The plaintext of a notification. Throws `Deviation` if it cannot be decrypted. */
  decrypt(notification: Notification): Record<string, unknown> {
    const { encrypted_data: data } = fieldsOf(notification);
    if (typeof data !== 'string') throw new Deviation('encrypted_data is no text');
    try {
      return this.open(data) as Record<string, unknown>;
    } catch (error) {
      throw new Deviation(`encrypted_data: ${(error as Error).message}`, { cause: error });
    }
  }
}

/**
 * The fields that the provider delivers to the app: the JSON body of APNs or a push event, the data
 * of FCM.
 */
export function fieldsOf({ body, data }: Notification): Readonly<Record<string, unknown>> {
  return body === undefined ? (data ?? {}) : (parseJson(body) as Record<string, unknown>);
}
