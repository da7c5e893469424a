import type { TokenKind } from '@bellhop/protocol/bouncer';

import type { PushEnvironment } from '../storage/tables.ts';
import type { ProviderConfigs } from './provider-configs.ts';

/** Credentials with one provider, and the apps that they serve. */
export interface SenderConfig<K extends TokenKind = TokenKind> {
  /** Names the sender in logs, metrics and `/readyz`. Unique among the senders of a provider. */
  readonly name: string;
  /** App IDs of phones. Undefined: every app that no other sender lists. */
  readonly apps: readonly string[] | undefined;
  /** Whether it serves phones whose registration names no app. */
  readonly isDefault: boolean;
  /** In the order of the attempts for a phone whose environment is unknown. */
  readonly environments: readonly EnvironmentConfig<K>[];
}

/** `fault`: why the credentials cannot be used. Notifications of such a sender wait in the queue. */
export type EnvironmentConfig<K extends TokenKind = TokenKind> = {
  readonly environment: PushEnvironment;
} & ({ readonly config: ProviderConfigs[K] } | { readonly fault: string });

export type SenderConfigs = { readonly [K in TokenKind]: readonly SenderConfig<K>[] };

/** The sender for phones of an app; null stands for registrations without an app. */
export const senderFor = <S extends Pick<SenderConfig, 'apps' | 'isDefault'>>(
  senders: readonly S[],
  app: string | null,
): S | undefined =>
  app === null
    ? senders.find(({ isDefault }) => isDefault)
    : (senders.find(({ apps }) => apps?.includes(app)) ??
      senders.find(({ apps }) => apps === undefined));

/** Puts the environment of a device first. */
export const inOrderFor = <E extends { readonly environment: PushEnvironment }>(
  environments: readonly E[],
  { environment }: { readonly environment: PushEnvironment | null },
): readonly E[] => [
  ...environments.filter((one) => one.environment === environment),
  ...environments.filter((one) => one.environment !== environment),
];
