import type { ServiceAccount } from './fcm/service-account.ts';

export interface ApnsConfig {
  readonly url: string;
  readonly teamId: string;
  readonly keyId: string;
  /** The text of Apple's `.p8` file. */
  readonly privateKey: string;
}

export interface FcmConfig {
  readonly url: string;
  readonly account: ServiceAccount;
}

export interface WebPushConfig {
  /** Base64url. */
  readonly privateKey: string;
  /** Base64url: the `applicationServerKey` of browsers. */
  readonly publicKey: string;
  /** `mailto:` or `https:`. */
  readonly subject: string;
  /** Hosts, and `*.` with a suffix; with the port, unless it is 443. */
  readonly hosts: 'any' | readonly string[];
  /** Networks beside public addresses. */
  readonly allow: readonly string[];
}

/** What the connection to each provider needs. */
export interface ProviderConfigs {
  readonly apns: ApnsConfig;
  readonly fcm: FcmConfig;
  readonly webpush: WebPushConfig;
}
