import type { PushOutcome } from '@bellhop/protocol/bouncer';

import type { App } from '../app.ts';
import { QUARANTINE_SECONDS } from '../devices/queries.ts';
import { canRetry, giveUpAt, type PushResult } from './deliver.ts';

/** The outcome of a push for the chat server. */
export function outcomeOf(app: App, result: PushResult): PushOutcome {
  const { device } = result.push;
  const about = {
    push_id: result.push.id,
    device_id: device.device_id,
    provider: result.push.kind,
  };
  const secondsIn = (ms: number) => Math.floor((app.now() + ms) / 1_000);
  switch (result.kind) {
    case 'accepted':
      return { ...about, outcome: 'accepted', provider_id: result.providerId };
    case 'unfinished':
      return canRetry(app, result)
        ? {
            ...about,
            outcome: 'queued',
            reason: result.reason,
            retry_at: secondsIn(result.waitMs),
            until: Math.floor(giveUpAt(app, result.push, result.cause) / 1_000),
          }
        : { ...about, outcome: 'given_up', reason: result.reason };
    case 'quarantined': {
      const end = device.quarantined_until?.getTime() ?? 0;
      const left = end > app.now() ? end - app.now() : QUARANTINE_SECONDS * 1_000;
      return {
        ...about,
        outcome: 'quarantined',
        reason: result.reason,
        until: secondsIn(left),
        ...(result.isMismatch === true ? { register_again: true } : {}),
      };
    }
    case 'dead':
      return { ...about, outcome: 'dead', reason: result.reason };
    case 'rejected':
      return { ...about, outcome: 'refused', reason: result.reason };
    case 'unconfigured':
      return { ...about, outcome: 'configuration', reason: result.reason };
  }
}
