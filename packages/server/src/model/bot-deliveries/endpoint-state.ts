import type { WebhookEndpoint } from '@bellhop/protocol';

import type { WatchedBot } from './access.ts';

/** The state of the endpoint of a webhook, as its last deliveries left it. */
export function endpointState(
  service: Pick<
    WatchedBot['service'],
    'base_url' | 'disabled_at' | 'failing_since' | 'failures_in_a_row' | 'probe_after'
  >,
): Omit<WebhookEndpoint, 'p50_ms' | 'p95_ms'> {
  const {
    base_url,
    disabled_at,
    failing_since,
    failures_in_a_row: failures,
    probe_after,
  } = service;
  const since = failing_since?.getTime() ?? null;
  const known = { payload_url: base_url, failures, failing_since_ms: since };
  if (disabled_at !== null)
    return {
      ...known,
      state: 'disabled',
      reason: `The server disabled it after ${failures} failures in a row. It tries once in a half hour and enables it when it answers; setting the payload URL enables it at once.`,
      next_attempt_ms: probe_after?.getTime() ?? null,
    };
  return {
    ...known,
    state: failures > 0 ? 'failing' : 'working',
    reason: failures > 0 ? lastFailed(failures) : null,
    next_attempt_ms: null,
  };
}

const lastFailed = (attempts: number) =>
  attempts === 1 ? 'The last attempt failed.' : `The last ${attempts} attempts failed.`;
