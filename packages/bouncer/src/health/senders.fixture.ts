import { generateKeyPairSync } from 'node:crypto';

import type { TokenKind } from '@bellhop/protocol';
import { newWebPushSubscription } from '@bellhop/push-crypto/web-push';

import type { BouncerConfig } from '../bouncer.ts';
import type { ProviderConfigs } from '../providers/provider-configs.ts';
import type { SenderConfig, SenderConfigs } from '../providers/sender-config.ts';

const sole = <K extends TokenKind>(config: ProviderConfigs[K]): SenderConfig<K> => ({
  name: 'default',
  apps: undefined,
  isDefault: true,
  environments: [{ environment: 'production', config }],
});

/** Configurations derived from one that the simulated providers accept. */
export function sendersOf(config: Pick<BouncerConfig, 'senders'>) {
  const first = <K extends TokenKind>(kind: K): ProviderConfigs[K] => {
    const [environment] = config.senders[kind][0]?.environments ?? [];
    // A test that uses a provider without configuration fails at the use.
    return (environment && 'config' in environment ? environment.config : {}) as ProviderConfigs[K];
  };
  const [apns, fcm, webpush] = [first('apns'), first('fcm'), first('webpush')];
  const senders = (changed: Partial<ProviderConfigs>): { readonly senders: SenderConfigs } => ({
    senders: {
      apns: [sole<'apns'>(changed.apns ?? apns)],
      fcm: [sole<'fcm'>(changed.fcm ?? fcm)],
      webpush: [sole<'webpush'>(changed.webpush ?? webpush)],
    },
  });
  const refused: Readonly<Record<TokenKind, () => Partial<ProviderConfigs>>> = {
    apns: () => ({ apns: { ...apns, privateKey: newSigningKey() } }),
    fcm: () => ({ fcm: { ...fcm, account: { ...fcm.account, client_email: 'x@example.com' } } }),
    webpush: () => {
      const { private_key: privateKey, p256dh: publicKey } = newWebPushSubscription();
      return { webpush: { ...webpush, privateKey, publicKey } };
    },
  };
  return {
    apns,
    fcm,
    webpush,
    senders,
    /** Credentials that the provider of this kind does not accept. */
    refused: (kind: TokenKind) => senders(refused[kind]()),
    /** Credentials that work and were never used, so that nothing is known about them. */
    unused: () =>
      senders({
        apns: { ...apns, url: `${apns.url}/?${Math.random()}` },
        fcm: { ...fcm, url: `${fcm.url}/?${Math.random()}` },
        webpush: { ...webpush, subject: `https://example.com/${Math.random()}` },
      }),
  };
}

export const newSigningKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
