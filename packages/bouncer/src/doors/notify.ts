import type { Bouncer, PushOutcome } from '@bellhop/protocol/bouncer';

import type { Handler } from '../app.ts';
import { providers } from '../providers/providers.ts';
import { sendPushes } from './send-pushes.ts';

/**
 * Sends notifications. The answer counts the notifications that the providers accepted, lists the
 * devices that no longer exist, and has the outcome of each notification.
 */
export const notify: Handler<Bouncer['push']['notify']> = async (call) => {
  const { outcomes, status } = await sendPushes(call);
  return {
    ...acceptedCounts(outcomes),
    delete_device_ids: deadDevices(outcomes),
    outcomes: [...outcomes],
    realm_push_status: status,
  };
};

function acceptedCounts(outcomes: readonly PushOutcome[]) {
  const counts = {
    apple_successfully_sent_count: 0,
    android_successfully_sent_count: 0,
    web_successfully_sent_count: 0,
  };
  for (const { provider, outcome } of outcomes)
    if (outcome === 'accepted' && provider) counts[providers[provider].countField]++;
  return counts;
}

const deadDevices = (outcomes: readonly PushOutcome[]): number[] => [
  ...new Set(
    outcomes.flatMap(({ outcome, device_id }) =>
      outcome === 'dead' && device_id !== null ? [device_id] : [],
    ),
  ),
];
