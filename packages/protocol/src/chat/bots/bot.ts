import { z } from 'zod';

import { AvatarUrl, Email, FullName, Name, Secret } from '../../values/fields.ts';
import { UserId } from '../../values/ids.ts';
import { BotType } from '../users/user.ts';

const Service = z.union([
  z.object({ base_url: z.string(), interface: z.literal([1, 2]), token: Secret.optional() }),
  z.object({ service_name: z.string(), config_data: z.record(z.string(), z.string()) }),
]);

/** The channels that a bot sends to and listens to by default. */
export const botDefaults = {
  default_sending_stream: Name.nullable(),
  default_events_register_stream: Name.nullable(),
  default_all_public_streams: z.boolean(),
};

/** A bot as a manager of it sees it. API key and tokens are absent if its role is higher than the reader's. */
export const Bot = z
  .object({
    user_id: UserId,
    full_name: FullName,
    email: Email,
    bot_type: BotType,
    is_active: z.boolean().meta({ example: true }),
    api_key: Secret.optional(),
    ...botDefaults,
    avatar_url: AvatarUrl,
    owner_id: UserId.nullable(),
    services: z.array(Service),
  })
  .meta({ id: 'Bot' });
export type Bot = z.output<typeof Bot>;
