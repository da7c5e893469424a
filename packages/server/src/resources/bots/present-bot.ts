import type { Bot } from '@bellhop/protocol';

import type { Secrets } from '../../engine/secrets.ts';
import type { Presenter } from '../../engine/stored-event.ts';

type Keys = Partial<Pick<Bot, 'api_key' | 'services'>>;

function withKeys<B extends Keys>(bot: B, change: (secret: string) => string): B {
  const { api_key, services } = bot;
  return {
    ...bot,
    ...(api_key === undefined ? {} : { api_key: change(api_key) }),
    ...(services === undefined
      ? {}
      : {
          services: services.map((service) =>
            'token' in service && service.token !== undefined
              ? { ...service, token: change(service.token) }
              : service,
          ),
        }),
  };
}

/** A bot for the event log, with its keys and tokens encrypted. */
export const sealBot = <B extends Keys>(bot: B, secrets: Secrets): B =>
  withKeys(bot, (secret) => secrets.seal(secret).toString('base64'));

/** Presents a `realm_bot` event with decrypted keys. */
export const presentBot =
  (secrets: Secrets): Presenter =>
  ({ payload }) => [
    {
      ...payload,
      bot: withKeys(payload['bot'] as Keys, (sealed) =>
        secrets.open(Buffer.from(sealed, 'base64')),
      ),
    },
  ];
