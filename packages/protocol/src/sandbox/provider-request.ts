import { z } from 'zod';

import { CipherId } from '../push/push-traces.ts';

/** A request to a provider that carried a notification, as the provider saw it. */
export const ProviderRequest = z
  .object({
    time: z.int().meta({ description: 'UNIX milliseconds' }),
    cipher_id: CipherId.nullable().meta({ description: 'Null without a ciphertext' }),
    status: z.int().nullable().meta({ description: 'Null: there was no answer' }),
    outcome: z.string(),
    explanation: z.string().optional().meta({
      description: "What the provider's reason means; absent for accepted notifications",
    }),
    size: z.int().meta({ description: 'Bytes that the provider measures' }),
    limit: z.int().meta({ description: 'What it accepts at most' }),
  })
  .meta({ id: 'ProviderRequest' });
export type ProviderRequest = z.output<typeof ProviderRequest>;
