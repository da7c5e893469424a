import { type KeyPair, sealing } from '@bellhop/push-crypto';
import { bouncerEnvironment, type PushSimulator } from '@bellhop/push-simulator';

import { registerPushServer, type PushServer } from '../../support/push-server.ts';
import { type Checkout, thisCheckout } from '../checkout.ts';
import { type Service, startService } from '../start-service.ts';
import type { BouncerReady } from './serve-bouncer.ts';

/** The addresses and credentials of the providers. */
export type Providers = Pick<PushSimulator, 'apns_url' | 'fcm_url' | 'ca'> & {
  readonly credentials: Pick<PushSimulator['credentials'], 'apns' | 'fcm'>;
};

/** A bouncer in a process of its own, and a chat server that it knows. */
export interface BouncerProcess {
  readonly service: Service<BouncerReady>;
  readonly url: string;
  /** Phones seal their registrations for its public key. */
  readonly keyPair: KeyPair;
  readonly server: PushServer;
}

/** The environment of a bouncer that any chat server may use, without a database. */
export const bouncerVariables = (
  providers: Providers,
  { publicKey, secretKey }: KeyPair,
): Record<string, string> => ({
  ...bouncerEnvironment(providers),
  BELLHOP_BOUNCER_KEYS: `${publicKey}:${secretKey}`,
  BELLHOP_BOUNCER_SERVERS: 'any',
  BELLHOP_BOUNCER_RATE_LIMIT: '1000000000',
  BELLHOP_BOUNCER_QUOTAS:
    'registrations_per_minute=1000000000,device_notifications_per_minute=1000000',
});

export async function startBouncer(
  stack: AsyncDisposableStack,
  providers: Providers,
  { databaseUrl, checkout = thisCheckout }: { databaseUrl: string; checkout?: Checkout },
): Promise<BouncerProcess> {
  const keyPair = sealing.generateKeyPair();
  const service = stack.use(
    await startService<BouncerReady>(checkout, 'push/serve-bouncer.ts', {
      ...bouncerVariables(providers, keyPair),
      DATABASE_URL: databaseUrl,
    }),
  );
  const { url } = service.ready;
  return { service, url, keyPair, server: await registerPushServer(url) };
}
