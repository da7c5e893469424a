import { z } from 'zod';

import { Url } from '../../values/fields.ts';

const time = z.int().nullable();

/** The state of the endpoint of an outgoing webhook bot. */
export const WebhookEndpoint = z
  .object({
    payload_url: Url,
    state: z.enum(['working', 'failing', 'disabled']),
    reason: z.string().nullable().meta({ description: 'Why it is not working, in words' }),
    failures: z.int().meta({ description: 'Failed attempts since the last success' }),
    failing_since_ms: time,
    next_attempt_ms: time.meta({ description: 'When a disabled endpoint is tried again' }),
    p50_ms: time.meta({ description: 'Median duration of the newest 200 deliveries' }),
    p95_ms: time,
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.output<typeof WebhookEndpoint>;

/** One step of a check of an endpoint. */
export const EndpointStep = z
  .object({
    name: z.enum(['dns', 'guard', 'connect', 'tls', 'http']),
    outcome: z.enum(['ok', 'failed', 'skipped']),
    ms: z.int().nullable(),
    detail: z.string(),
  })
  .meta({ id: 'EndpointStep' });
