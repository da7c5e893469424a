import { z } from 'zod';

import { OutcomeKind } from '../push/push-outcome.ts';
import { TokenKind } from '../push/push.ts';
import { MAX_NAME_LENGTH } from '../values/limits.ts';
import { device_id, ms, QueueState, realm_uuid, server_uuid } from './operated-records.ts';

export const limit = z.int().min(1).max(200).default(100).meta({ description: 'At most so many' });
/** One of several chat servers may have its host name: the active one is meant. */
export const server = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .meta({ description: 'ID or host name of a chat server' });
export const ofServer = server_uuid
  .optional()
  .meta({ description: 'Only of the chat server with this ID' });
export const ofRealm = realm_uuid
  .optional()
  .meta({ description: 'Only of the realm with this ID' });
export const ofProvider = TokenKind.optional().meta({ description: 'Only of this provider' });
export const ofOutcome = OutcomeKind.optional().meta({ description: 'Only with this outcome' });
export const subject = z.string().min(1).max(MAX_NAME_LENGTH).meta({
  description: 'ID of a chat server, or host name in which `*` stands for any characters',
});
/** Notifications that one call sends again, at most. */
export const MAX_REPLAYED = 1_000;

export const queueFilter = {
  state: QueueState.meta({
    description: 'Those that wait for their next attempt, or those given up or refused',
  }),
  provider: ofProvider,
  server_uuid: ofServer,
  realm_uuid: ofRealm,
  device_id: device_id.optional().meta({ description: 'Only for the device with this ID' }),
};

export const outcomeRange = {
  from_ms: ms.optional().meta({ description: 'UNIX milliseconds; default: 24 hours before to_ms' }),
  to_ms: ms
    .optional()
    .meta({ description: 'UNIX milliseconds; default: now, rounded up to a whole step' }),
  step_ms: z
    .int()
    .min(1_000)
    .max(86_400_000)
    .default(3_600_000)
    .meta({ description: 'Milliseconds that are counted together' }),
  group_by: z
    .enum(['outcome', 'provider'])
    .default('outcome')
    .meta({ description: 'What is counted apart' }),
};
