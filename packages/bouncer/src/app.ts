import type { Database } from '@bellhop/postgres';
import type { AnswerOf, Bouncer, Endpoint, ParamsOf } from '@bellhop/protocol';
import type { Logger } from 'pino';

import type { Metrics } from './metrics.ts';
import type { ApnsNotification } from './providers/apns/apns.ts';
import type { FcmNotification } from './providers/fcm/fcm.ts';
import type { Provider } from './providers/provider.ts';
import type { KeyRing } from './push/key-ring.ts';
import type { RemoteServer } from './servers/queries.ts';
import type { BouncerTables } from './tables.ts';

export interface Providers {
  readonly apns: Provider<ApnsNotification> | undefined;
  readonly fcm: Provider<FcmNotification> | undefined;
}

/** What the bouncer works with. */
export interface App {
  readonly database: Database<BouncerTables>;
  readonly keyRing: KeyRing;
  readonly providers: Providers;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** UNIX milliseconds. */
  readonly now: () => number;
  /** How long a notification that a provider could not take is worth trying again. */
  readonly retrySeconds: number;
}

interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  /** Who calls; the type knows that operations open to anyone have no caller. */
  readonly server: E['access'] extends 'server' ? RemoteServer : undefined;
  readonly app: App;
}
export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<AnswerOf<E>>;

/** How the operations of one resource of the contract are done. */
export type Resource<R extends keyof Bouncer> = {
  readonly [N in keyof Bouncer[R]]: Bouncer[R][N] extends Endpoint ? Handler<Bouncer[R][N]> : never;
};
