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
    ...deadDevices(outcomes),
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

/** What no longer exists, as the items named it. */
function deadDevices(outcomes: readonly PushOutcome[]) {
  const dead = outcomes.filter(({ outcome }) => outcome === 'dead');
  const deviceIds = dead.flatMap(({ token_id, device_id }) =>
    token_id === undefined && device_id !== null ? [device_id] : [],
  );
  const tokenIds = dead.flatMap(({ token_id }) => token_id ?? []);
  return {
    delete_device_ids: [...new Set(deviceIds)],
    delete_token_ids: [...new Set(tokenIds)],
  };
}
