import type { BouncerV1 } from '@bellhop/protocol/bouncer';

import type { HandlersOf } from '../app.ts';
import type { BouncerConfig } from '../config/bouncer-config.ts';

/** The key that browsers subscribe with. */
function vapidPublicKeyOf({ senders }: BouncerConfig): string | null {
  const [environment] = senders.webpush[0]?.environments ?? [];
  return environment && 'config' in environment ? environment.config.publicKey : null;
}

/** The public keys of the bouncer, the newest first. */
export const keys: HandlersOf<BouncerV1['keys']> = {
  async list({ app }) {
    const pairs = await app.keyRing.current();
    return {
      keys: [...pairs.keys()].toReversed().map((public_key) => ({ public_key })),
      vapid_public_key: vapidPublicKeyOf(app.config),
    };
  },
};
