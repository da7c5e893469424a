import { z } from 'zod';

import { AvatarUrl, Email, FullName } from '../../values/fields.ts';
import { UserId } from '../../values/ids.ts';
import { MAX_EMAIL_LENGTH } from '../../values/limits.ts';

/** A user in the path of a request. */
export const UserIdOrAddress = z.union([UserId, z.string().max(MAX_EMAIL_LENGTH)]).meta({
  description:
    'The ID, the e-mail address in API responses, or the delivery address if you may see it',
});

/** Roles of users (spec, Conventions 9). A lower number has more permissions. */
export const Role = z.union([
  z.literal(100),
  z.literal(200),
  z.literal(300),
  z.literal(400),
  z.literal(600),
]);
export type Role = z.output<typeof Role>;

/** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
export const BotType = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);
export type BotType = z.output<typeof BotType>;

export const ProfileData = z.record(
  z.string(),
  z.object({ value: z.string(), rendered_value: z.string().optional() }),
);

/** A person or a bot, as other users of the realm see them. */
export const User = z
  .object({
    user_id: UserId,
    email: Email,
    delivery_email: Email.nullable(),
    full_name: FullName,
    date_joined: z.string().meta({ example: '2026-01-01T12:00+00:00' }),
    is_active: z.boolean().meta({ example: true }),
    is_owner: z.boolean(),
    is_admin: z.boolean(),
    is_guest: z.boolean(),
    is_bot: z.boolean(),
    is_imported_stub: z.boolean().optional().meta({
      description: 'Always false here. Servers before feature level 433 do not send it',
    }),
    role: Role,
    timezone: z.string().meta({ example: 'Europe/Prague' }),
    avatar_url: AvatarUrl.nullable(),
    avatar_version: z.int(),
    bot_type: BotType.optional(),
    bot_owner_id: UserId.nullable().optional(),
    is_system_bot: z.boolean().optional(),
    profile_data: ProfileData.optional(),
  })
  .meta({ id: 'User' });
export type User = z.output<typeof User>;
