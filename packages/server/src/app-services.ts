import { type ClientOf, createClientFor } from '@bellhop/client';
import { createOutbound, type Outbound } from '@bellhop/http/outbound';
import { proxiedFetch, type Proxies } from '@bellhop/http/proxy';
import { bouncer, type Bouncer, bouncerV1, type BouncerV1, type Contract } from '@bellhop/protocol';

import type { Config } from './config.ts';
import { type DeliveryMetrics, deliveryMetrics } from './delivery-metrics.ts';
import { createFiles, type Files } from './files/files.ts';
import { createImages, type Images } from './images/images.ts';
import { configuredMailer } from './mail/configured-mailer.ts';
import type { Mailer } from './mail/mailer.ts';

/** The parts of a running server that the engine does not know. */
export interface AppServices {
  readonly config: Config;
  /** A client of the push bouncer, if one is configured. */
  readonly bouncer: ClientOf<Bouncer> | undefined;
  /** A client of its further API, which public bouncers do not have. */
  readonly bouncerV1: ClientOf<Pick<BouncerV1, 'traces' | 'devices'>> | undefined;
  /** Requests to the addresses of webhook bots. */
  readonly outbound: Outbound;
  readonly deliveryMetrics: DeliveryMetrics;
  readonly mailer: Mailer;
  readonly images: Images;
  readonly files: Files;
}

declare module './engine/app.ts' {
  interface App extends AppServices {}
  interface Settings extends Config {}
}

/** Creates them as the operator set them, with another mailer if one is given. */
export async function createServices(config: Config, mailer?: Mailer): Promise<AppServices> {
  const login = config.bouncer && { ...config.bouncer, proxies: config.proxies };
  return {
    config,
    bouncer: login && bouncerClient(bouncer, { ...login, prefix: '/api/v1/remotes' }),
    bouncerV1:
      login &&
      bouncerClient(
        { traces: bouncerV1.traces, devices: bouncerV1.devices },
        { ...login, prefix: '/v1' },
      ),
    outbound: createOutbound({
      allow: config.webhookAllow,
      userAgent: 'BellhopOutgoingWebhook/0.1',
    }),
    deliveryMetrics: deliveryMetrics(),
    mailer: mailer ?? (await configuredMailer(config)),
    images: createImages(),
    files: createFiles(config.files),
  };
}

export async function closeServices({
  files,
  images,
  mailer,
  outbound,
}: AppServices): Promise<void> {
  mailer.close();
  images.stop();
  await Promise.all([files.close(), outbound.close()]);
}

interface BouncerLogin extends NonNullable<Config['bouncer']> {
  readonly prefix: string;
  readonly proxies: Proxies;
}
const bouncerClient = <C extends Contract>(
  contract: C,
  { url, orgId, orgKey, prefix, proxies }: BouncerLogin,
) =>
  createClientFor(contract, {
    ...(proxies.for(new URL(url)) ? { fetch: proxiedFetch(proxies) } : {}),
    url,
    prefix,
    email: orgId,
    apiKey: orgKey,
    userAgent: 'BellhopServer/0.1',
    timeoutMs: 15_000,
  });
