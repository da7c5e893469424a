import { Proxies } from '@bellhop/http/proxy';
import type { TokenKind } from '@bellhop/protocol/bouncer';
import { z } from 'zod';

import type { WayOut } from '../providers/connect-provider.ts';
import type { Provider } from '../providers/provider.ts';
import { providers } from '../providers/providers.ts';
import type { SenderConfig, SenderConfigs } from '../providers/sender-config.ts';
import type { Quotas } from '../quotas/quota-table.ts';
import type { Registration } from '../servers/warn-of-registration.ts';
import { entryFault, itemsOf } from '../settings/entry-fields.ts';
import { Authorities, TrueOrFalse, wholeNumber } from '../settings/schemas.ts';
import { type Environment, VariableReader } from '../settings/variable-reader.ts';
import { readAppsFile } from './apps-file.ts';
import { readKeys } from './read-keys.ts';
import { readQuotas } from './read-quotas.ts';
import { variables } from './variables.ts';

export interface BouncerConfig extends WayOut {
  /** Public key to private key, base64. Further pairs are in the database. */
  readonly keys: Readonly<Record<string, string>>;
  /** The first encrypts the private keys in the database; each may decrypt them. */
  readonly encryptionKeys: readonly string[];
  /** A provider without credentials has no sender: its devices get no notifications. */
  readonly senders: SenderConfigs;
  readonly registration: Registration;
  /** Lets the operator use `/v1/admin`; undefined: it is off. */
  readonly operatorToken: string | undefined;
  readonly behindProxy: boolean;
  /** The quotas of each chat server, unless the operator has set others for it. */
  readonly quotas: Quotas;
  /** How long the former key of a chat server is valid after it has rotated its key. */
  readonly formerKeySeconds: number;
  /** How long entries of the audit log are kept. */
  readonly auditDays: number;
  /** How many traces of notifications are kept. */
  readonly traces: number;
  /** How long a notification is retried while its provider is unavailable. */
  readonly retrySeconds: number;
}
/** The configuration of `bellhop bouncer`. */
export interface BouncerEnvironment extends BouncerConfig {
  readonly databaseUrl: string | undefined;
  readonly host: string;
  readonly port: number;
  /** The address of `/metrics`; undefined if it is not served. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** Between SIGTERM and the closing of the port, in seconds. */
  readonly stopDelaySeconds: number;
  /** How long a start waits for a database that refuses work for now. */
  readonly databaseWaitSeconds: number;
}

/** The environment is unusable. Each problem is one line that names its variable. */
export class BadConfig extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** The longest for which a former key makes sense. */
const YEAR_SECONDS = 365 * 86_400;
/** As long as the queue keeps notifications that were given up. */
const KEPT_SECONDS = 30 * 86_400;

const Uuid = z.uuid();
const Servers = z.string().transform((text, context) => {
  if (text === 'any') return 'any' as const;
  const ids = itemsOf(text).map((id) => id.toLowerCase());
  const wrong = ids.findIndex((id) => !Uuid.safeParse(id).success);
  if (wrong === -1) return ids;
  context.addIssue(
    entryFault(
      itemsOf(text),
      wrong,
      'is no ID: write those of chat servers (UUIDs), separated by commas, or any',
    ),
  );
  return z.NEVER;
});
const Token = z
  .string()
  .min(32, 'must have 32 characters or more')
  .max(200, 'must have 200 characters or fewer');

/** The senders of the apps file, and one for each provider that the variables configure. */
function readSenders(reader: VariableReader, env: Environment): SenderConfigs {
  const sole = <K extends TokenKind>(kind: K): readonly SenderConfig<K>[] => {
    const sender = (providers[kind] as Provider<K>).settings.fromVariables(reader);
    return sender ? [sender] : [];
  };
  const path = reader.text('BELLHOP_BOUNCER_APPS_FILE');
  if (path === undefined) return { fcm: sole('fcm'), apns: sole('apns'), webpush: sole('webpush') };
  const forbid = (kind: TokenKind) => {
    for (const name of Object.keys(providers[kind].settings.variables))
      reader.forbidBeside('BELLHOP_BOUNCER_APPS_FILE', name);
  };
  forbid('apns');
  forbid('fcm');
  const { senders, problems } = readAppsFile(path, env['CREDENTIALS_DIRECTORY']);
  reader.report(problems);
  if (senders.webpush.length === 0) return { ...senders, webpush: sole('webpush') };
  forbid('webpush');
  return senders;
}

/** Reads the environment variables of `variables`. Throws BadConfig with every problem. */
export function readConfig(env: Environment): BouncerEnvironment {
  const reader = new VariableReader(env, variables);
  const { keys, encryptionKeys } = readKeys(reader);
  const keyVariables = ['BELLHOP_BOUNCER_KEYS', 'BELLHOP_BOUNCER_ENCRYPTION_KEY'] as const;
  if (keyVariables.every((name) => reader.text(name) === undefined))
    reader.report([
      'BELLHOP_BOUNCER_KEYS is not set: set it, or BELLHOP_BOUNCER_ENCRYPTION_KEY to keep the key pairs in the database',
    ]);
  const metricsPort = reader.parse('BELLHOP_BOUNCER_METRICS_PORT', wholeNumber(0, 65_535));
  const config = {
    keys,
    encryptionKeys,
    senders: readSenders(reader, env),
    proxies: readProxies(reader, env),
    providerCa: reader.parse('BELLHOP_BOUNCER_PROVIDER_CA', Authorities),
    registration: {
      servers: reader.parse('BELLHOP_BOUNCER_SERVERS', Servers) ?? [],
      token: reader.parse('BELLHOP_BOUNCER_REGISTRATION_TOKEN', Token),
    },
    operatorToken: reader.parse('BELLHOP_BOUNCER_OPERATOR_TOKEN', Token),
    behindProxy: reader.parse('BELLHOP_BOUNCER_BEHIND_PROXY', TrueOrFalse) ?? false,
    quotas: readQuotas(reader),
    formerKeySeconds:
      reader.parse('BELLHOP_BOUNCER_FORMER_KEY_SECONDS', wholeNumber(0, YEAR_SECONDS)) ?? 86_400,
    auditDays: reader.parse('BELLHOP_BOUNCER_AUDIT_DAYS', wholeNumber(1, 36_500)) ?? 365,
    traces: reader.parse('BELLHOP_BOUNCER_TRACES', wholeNumber(0, 100_000_000)) ?? 200_000,
    retrySeconds:
      reader.parse('BELLHOP_BOUNCER_RETRY_SECONDS', wholeNumber(0, KEPT_SECONDS)) ?? 3_600,
    databaseUrl: reader.text('BELLHOP_BOUNCER_DATABASE_URL'),
    host: reader.text('BELLHOP_BOUNCER_HOST') ?? '127.0.0.1',
    port: reader.parse('BELLHOP_BOUNCER_PORT', wholeNumber(0, 65_535)) ?? 4_602,
    metrics:
      metricsPort === undefined
        ? undefined
        : { host: reader.text('BELLHOP_BOUNCER_METRICS_HOST') ?? '127.0.0.1', port: metricsPort },
    stopDelaySeconds: reader.parse('BELLHOP_BOUNCER_STOP_DELAY', wholeNumber(0, 300)) ?? 5,
    databaseWaitSeconds:
      reader.parse('BELLHOP_BOUNCER_DATABASE_WAIT', wholeNumber(0, 86_400)) ?? 120,
  };
  if (reader.problems.length > 0) throw new BadConfig(reader.problems);
  return config;
}

/** The proxies of the environment, in capitals or in small letters as other programs read them. */
function readProxies(reader: VariableReader, env: Environment): Proxies {
  const https = reader.text('HTTPS_PROXY') ?? env['https_proxy'];
  const no = reader.text('NO_PROXY') ?? env['no_proxy'];
  let proxies = new Proxies();
  const use = () => (proxies = new Proxies({ https, no }));
  if (reader.text('HTTPS_PROXY') !== undefined) reader.check('HTTPS_PROXY', use);
  else
    try {
      use();
    } catch (error) {
      reader.report([`https_proxy: ${(error as Error).message}`]);
    }
  return proxies;
}
