import type { BouncerV1 } from '@bellhop/protocol';

import type { HandlersOf } from '../app.ts';

/** The public keys of the bouncer, the newest first. */
export const keys: HandlersOf<BouncerV1['keys']> = {
  async list({ app }) {
    const pairs = await app.keyRing.current();
    return {
      keys: [...pairs.keys()].toReversed().map((public_key) => ({ public_key })),
      vapid_public_key: app.config.providers.webpush?.publicKey ?? null,
    };
  },
};
