import type { Contract, WebhookDefinition } from '@bellhop/protocol/contract';

import type { Exchange } from './exchange.ts';

/** Health checks, which load balancers ask for. */
export const HEALTH_PATHS = ['/livez', '/readyz'];

/** The answer of `/readyz`: 503 while the service cannot work. */
export interface Readiness {
  readonly isReady: boolean;
  readonly body: object;
}

/** The pages of a service beside its API. */
export interface Site {
  readonly contract: Contract;
  /** Requests that the service sends, by name. */
  readonly webhooks?: Readonly<Record<string, WebhookDefinition>>;
  readonly title: string;
  /** Prefix of the API's paths. */
  readonly prefix: string;
  /** Resolves soon. */
  readonly readiness: () => Promise<Readiness>;
  /** Whether the service is about to stop: a proxy should send its requests elsewhere. */
  readonly isLeaving?: () => boolean;
  /** Whether to trust `X-Forwarded-*` headers. */
  readonly behindProxy: boolean;
  /** Called once if the modules of the pages cannot be loaded; their requests are not answered then. */
  readonly onLoadFailure: (error: unknown) => void;
  /** Counts a request for a page other than a health check. Throws RATE_LIMIT_HIT. */
  readonly limit: (exchange: Exchange) => Promise<void>;
  /** The page for people to which `/` leads; without one, `/` lists the pages of the service. */
  readonly home?: () => Promise<string | undefined>;
  /** Further APIs by name: documented at `/api/docs/NAME` and `/api/openapi/NAME.json`. */
  readonly further?: Readonly<Record<string, FurtherApi>>;
  /** Static pages by path. A body is made when it is first asked for. */
  readonly fixed?: Readonly<
    Record<string, { readonly type: string; readonly body: () => string | Buffer }>
  >;
}

export interface FurtherApi {
  readonly contract: Contract;
  readonly title: string;
  readonly prefix: string;
}
