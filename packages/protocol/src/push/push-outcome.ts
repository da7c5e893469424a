import { z } from 'zod';

import { TokenId, TokenKind } from './push.ts';

/**
 * The outcome of a notification.
 * - `accepted`: the provider took it.
 * - `queued`: the bouncer has stored it and retries it until `until`.
 * - `given_up`: the provider did not take it in time.
 * - `dead`: the device does not exist, or no longer.
 * - `quarantined`: the provider says that the token belongs to another app or key; skipped until `until`.
 *   With `register_again` the phone can mend it.
 * - `refused`: this notification cannot be sent; the device is fine.
 * - `configuration`: the bouncer has no credentials for the provider.
 */
export const OutcomeKind = z.enum([
  'accepted',
  'queued',
  'given_up',
  'dead',
  'quarantined',
  'refused',
  'configuration',
]);

const seconds = z.int();

/** The outcome of one item of `push_requests`. Times are UNIX seconds. */
export const PushOutcome = z
  .object({
    push_id: z.uuid().meta({ description: 'The same for all attempts; `apns-id` for APNs' }),
    device_id: z.int().nullable().meta({
      description: 'Null if the item names none, or a token_id that the realm does not have',
    }),
    token_id: TokenId.optional().meta({ description: 'Of an item that names its device by it' }),
    provider: TokenKind.optional().meta({ description: 'Of a notification for a known device' }),
    outcome: OutcomeKind,
    reason: z.string().optional().meta({ description: 'Of every outcome but `accepted`' }),
    provider_id: z
      .string()
      .optional()
      .meta({ description: "The provider's ID of an accepted notification" }),
    retry_at: seconds.optional().meta({ description: 'When a queued notification is tried next' }),
    until: seconds.optional(),
    register_again: z
      .boolean()
      .optional()
      .meta({ description: 'The device gets nothing until it registers again' }),
    ignored_fields: z
      .array(z.string())
      .optional()
      .meta({ description: 'Fields of the item that the bouncer does not know' }),
  })
  .meta({ id: 'PushOutcome' });
export type PushOutcome = z.output<typeof PushOutcome>;
