import type { Bot } from '@bellhop/protocol';

import type { Secrets } from '../../engine/secrets.ts';
import type { Present } from '../../engine/stored-event.ts';

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
            'token' in service ? { ...service, token: change(service.token) } : service,
          ),
        }),
  };
}

/** A bot as the event log keeps it: keys and tokens do not lie open in the database. */
export const sealBot = <B extends Keys>(bot: B, secrets: Secrets): B =>
  withKeys(bot, (secret) => secrets.seal(secret).toString('base64'));

/** Opens the keys of a bot for those who are told of it. */
export const presentBot =
  (secrets: Secrets): Present =>
  ({ payload }) => [
    {
      ...payload,
      bot: withKeys(payload['bot'] as Keys, (sealed) =>
        secrets.open(Buffer.from(sealed, 'base64')),
      ),
    },
  ];
