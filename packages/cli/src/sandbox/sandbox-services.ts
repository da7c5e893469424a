import { join } from 'node:path';

import { rethrowAsUserError } from '@bellhop/bot-cli/command-line';
import {
  type Bouncer,
  type BouncerTables,
  createBouncer,
  migrations,
  readConfig as readBouncerConfig,
} from '@bellhop/bouncer';
import { jobsMigrations } from '@bellhop/jobs';
import { bouncerEnvironment, type PushSimulator, startSimulator } from '@bellhop/push-simulator';
import { type Config, readConfig } from '@bellhop/server';
import type { Logger } from 'pino';

import type { Storage } from '../service/open-storage.ts';
import type { Ports } from './ports.ts';
import type { SandboxState } from './sandbox-state.ts';

/** Starts the simulated push providers. They remember their devices in the data directory. */
export const startSandboxSimulator = (dataDir: string, ports: Ports): Promise<PushSimulator> =>
  startSimulator({
    fcm_port: ports.fcm,
    apns_port: ports.apns,
    apns_sandbox_port: ports.apns_sandbox,
    control_port: ports.control,
    webpush_port: ports.webpush,
    state_dir: join(dataDir, 'push-simulator'),
  });

interface BouncerParts {
  readonly storage: Storage;
  readonly state: SandboxState;
  readonly simulator: PushSimulator;
  readonly log: Logger;
}

/** Creates a push bouncer that delivers to the simulated providers. */
export async function createSandboxBouncer(parts: BouncerParts): Promise<Bouncer> {
  const { storage, state, simulator, log } = parts;
  const database = await storage.open<BouncerTables>(
    'bouncer',
    [jobsMigrations, ...migrations],
    'bellhop-bouncer',
  );
  const config = readBouncerConfig({
    ...bouncerEnvironment(simulator),
    BELLHOP_BOUNCER_KEYS: JSON.stringify({ [state.bouncer_public_key]: state.bouncer_secret_key }),
    BELLHOP_BOUNCER_ENCRYPTION_KEY: state.bouncer_encryption_key,
    BELLHOP_BOUNCER_SERVERS: state.org_id,
    BELLHOP_BOUNCER_OPERATOR_TOKEN: state.operator_token,
  });
  return createBouncer({ database, log, config });
}

interface ServerSettings {
  readonly state: SandboxState;
  readonly externalUrl: string;
  readonly port: number;
  readonly bouncerUrl: string;
  /** The directory of the mails, which the sandbox does not send. */
  readonly outbox: string;
  /** Further variables of the server; empty ones count as missing. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The configuration of a chat server whose webhooks may reach this machine and whose rate limits are high.
 * Throws a UserError if one of the further variables is wrong.
 */
export function sandboxServerConfig(settings: ServerSettings): Config {
  const { state, externalUrl, port, bouncerUrl, outbox, env } = settings;
  try {
    return readConfig({
      ...env,
      BELLHOP_SECRET: state.secret,
      BELLHOP_EXTERNAL_URL: externalUrl,
      BELLHOP_PORT: String(port),
      BELLHOP_BOUNCER_URL: bouncerUrl,
      BELLHOP_BOUNCER_ORG_ID: state.org_id,
      BELLHOP_BOUNCER_ORG_KEY: state.org_key,
      BELLHOP_WEBHOOK_ALLOW: '127.0.0.0/8,::1/128',
      BELLHOP_RATE_LIMIT_USER: '6000/60',
      BELLHOP_RATE_LIMIT_IP: '6000/60',
      BELLHOP_RATE_LIMIT_LOGIN: '100/1800',
      BELLHOP_DAILY_MAILS_IP: '1000',
      BELLHOP_MAIL_OUTBOX: outbox,
      BELLHOP_MAIL_OUTBOX_READABLE: 'true',
    });
  } catch (error) {
    return rethrowAsUserError(error);
  }
}
