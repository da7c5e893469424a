import type {
  ParsedPushRequests,
  PushRequest,
  TokenKind,
  WebPushKeys,
} from '@bellhop/protocol/bouncer';

import type { H2PoolOptions, H2PoolState } from '../http2/h2-pool.ts';
import type { LinkNotes } from './link-notes.ts';
import type { ProviderConfigs } from './provider-configs.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { Judge, ProviderVerdict, VerdictTable } from './provider-verdict.ts';

/** The data about a device that a provider needs. */
export interface ProviderDevice {
  readonly token: string;
  /** Null except for iPhones. */
  readonly ios_app_id: string | null;
  /** Null except for browsers. */
  readonly webpush_keys?: WebPushKeys | null;
}

/** A notification for one device. */
export interface ProviderNotification<K extends TokenKind> {
  /** UUID, the same for all attempts. */
  readonly id: string;
  readonly device: ProviderDevice;
  readonly request: ParsedPushRequests[K];
  /**
   * The UNIX milliseconds after which the notification is worthless; undefined: as long as the
   * provider keeps it.
   */
  readonly expiresAt?: number | undefined;
}

/** The connections to a provider, with the credentials of one configuration. */
export interface ProviderConnection<K extends TokenKind> {
  /**
   * Never rejects: trouble on the way is a verdict too. `attempt` counts from 0. Fills in `notes`, for the
   * trace.
   */
  send(
    notification: ProviderNotification<K>,
    attempt: number,
    notes?: LinkNotes,
  ): Promise<ProviderVerdict>;
  /** Why a device cannot be registered; undefined if it can. Absent: all can. */
  refusalOf?(device: ProviderDevice): string | undefined;
  /**
   * Sends a request that proves the credentials and reaches no phone. `accepted`: they work for the
   * app; null: for no app in particular. Absent if the provider offers no such request.
   */
  check?(app: string | null): Promise<ProviderVerdict>;
  /** `pool` is undefined for a provider without connections of its own. */
  state(): {
    readonly pool: H2PoolState | undefined;
    readonly credentialAgeMs: number | undefined;
  };
  close(): void;
}

/** Replaces a connection whose credentials are unusable. */
export const brokenConnection = <K extends TokenKind>(fault: string): ProviderConnection<K> => {
  const verdict = { kind: 'config_error', reason: fault, isAboutAll: true } as const;
  return {
    send: async () => verdict,
    check: async () => verdict,
    state: () => ({ pool: undefined, credentialAgeMs: undefined }),
    close: () => {},
  };
};

export interface ConnectOptions {
  readonly judge: Judge;
  /** The options of each connection to the provider, which adds `origin`. */
  readonly pool: Omit<H2PoolOptions, 'origin'>;
  /** UNIX milliseconds. */
  readonly now: () => number;
}

interface AppNames {
  readonly token: string;
  readonly ios_app_id: string | null;
  readonly android_app_id: string | null;
}

/** Everything that differs by push provider. */
export interface Provider<K extends TokenKind> {
  /** The name of the provider in log lines and verdicts. */
  readonly title: string;
  /** How the operator configures it. */
  readonly settings: ProviderSettings<K>;
  /** The one spelling of a token that the provider accepts in several. */
  readonly normalizeToken: (token: string) => string;
  /** The app that a phone's registration names, or the push service of a browser. */
  readonly appOf: (device: AppNames) => string | null;
  /** Whether the provider accepts or refuses credentials for each app by itself. */
  readonly judgesByApp: boolean;
  /**
   * Whether a device belongs to the key that it subscribed with, as a browser does. Then a refused key is
   * the fault of the device as long as others are accepted, and an answer that calls a device dead says
   * nothing about the key.
   */
  readonly bindsDevicesToKey: boolean;
  /** Whether a chat server's request is for devices of this provider. */
  readonly isRequest: (request: PushRequest) => request is ParsedPushRequests[K];
  /**
   * When a request that arrives now expires, UNIX milliseconds; undefined if the request has no
   * expiry.
   */
  readonly expiryOf: (request: ParsedPushRequests[K], nowMs: number) => number | undefined;
  /** The field of the answer to `notify` that counts the notifications this provider accepted. */
  readonly countField:
    | 'apple_successfully_sent_count'
    | 'android_successfully_sent_count'
    | 'web_successfully_sent_count';
  /** How many retries run at the same time on one node. */
  readonly retryConcurrency: number;
  readonly verdicts: VerdictTable;
  /** Throws if a key of the configuration cannot be used. */
  readonly connect: (config: ProviderConfigs[K], options: ConnectOptions) => ProviderConnection<K>;
}
