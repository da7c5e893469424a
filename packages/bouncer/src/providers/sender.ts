import { createHash } from 'node:crypto';

import type { TokenKind } from '@bellhop/protocol/bouncer';

import type { PushEnvironment } from '../storage/tables.ts';
import { type ConnectionContext, connectProvider } from './connect-provider.ts';
import { brokenConnection, type ProviderConnection } from './provider.ts';
import type { EnvironmentConfig, SenderConfig } from './sender-config.ts';

/** One environment of a provider, with the credentials of one sender. */
export interface Gateway<K extends TokenKind = TokenKind> {
  readonly kind: K;
  /** The name of its sender. */
  readonly sender: string;
  readonly environment: PushEnvironment;
  /** The apps that the operator listed for the sender. */
  readonly apps: readonly string[] | undefined;
  /** A hash of its configuration, the same on all nodes that have the same. */
  readonly credentials: Buffer;
  readonly connection: ProviderConnection<K>;
}

/** The connections of one SenderConfig. */
export interface Sender<K extends TokenKind = TokenKind> {
  readonly kind: K;
  readonly name: string;
  readonly apps: readonly string[] | undefined;
  readonly isDefault: boolean;
  readonly gateways: readonly Gateway<K>[];
  /** A hash of the configuration of all gateways. */
  readonly credentials: Buffer;
}

/** Connects a sender. `reusable` are gateways of the same kind whose connections it may take over. */
export function connectSender<K extends TokenKind>(
  kind: K,
  { name, apps, isDefault, environments }: SenderConfig<K>,
  context: ConnectionContext & { readonly reusable: readonly Gateway<K>[] },
): Sender<K> {
  const gateways = environments.map((environment): Gateway<K> => {
    const credentials = hashOf(environment, context.ca);
    const reused = context.reusable.find((gateway) => gateway.credentials.equals(credentials));
    const connection =
      reused?.connection ??
      ('fault' in environment
        ? brokenConnection<K>(environment.fault)
        : connectProvider(kind, environment.config, context));
    return {
      kind,
      sender: name,
      environment: environment.environment,
      apps,
      credentials,
      connection,
    };
  });
  const hash = createHash('sha256');
  for (const { credentials } of gateways) hash.update(credentials);
  return { kind, name, apps, isDefault, gateways, credentials: hash.digest() };
}

const hashOf = <K extends TokenKind>(environment: EnvironmentConfig<K>, ca: string | undefined) =>
  createHash('sha256')
    .update(JSON.stringify([environment, ca ?? null]))
    .digest();
