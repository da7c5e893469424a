import { z } from 'zod';

import { FullName, Markdown, Secret, Timestamp, TopicName } from '../values/fields.ts';

/** Which provider issued a device token. `webpush`, for browsers, is not in the public API. */
export const TokenKind = z.enum(['fcm', 'apns', 'webpush']);
export type TokenKind = z.output<typeof TokenKind>;

/**
 * The two forms of encrypted push. `account`: levels 406 to 467, by push_account_id and sealed boxes.
 * `device`: level 468 and later, by device_id and keys that phone and server share.
 */
export const PushGeneration = z.enum(['account', 'device']);
export type PushGeneration = z.output<typeof PushGeneration>;

const INT64 = 2n ** 63n;
const RANGE = `expected an integer from ${-INT64} to ${INT64 - 1n}`;
const description =
  'Signed 64-bit integer chosen by the client, sent exactly although it is wider than a double';

/**
 * The number that a phone gives to its account on this server. A `bigint`: a double would round it.
 */
export const PushAccountId = z
  .bigint(RANGE)
  .min(-INT64, RANGE)
  .max(INT64 - 1n, RANGE)
  .meta({ description });
export type PushAccountId = z.output<typeof PushAccountId>;

/** A PushAccountId in a JSON body: small values arrive as numbers. */
export const PushAccountIdInJson = z
  .union([PushAccountId, z.int()], RANGE)
  .transform((id) => BigInt(id))
  .meta({ description });

/**
 * Names a device token without telling it, since level 468: base64 of the first 8 bytes of the SHA-256 of
 * its text, exactly as the phone has it.
 */
export const TokenId = z
  .string()
  .max(12, 'must be the base64 of 8 bytes, 12 characters')
  .regex(/^[A-Za-z0-9+/]{10}[AEIMQUYcgkosw048]=$/, 'must be the base64 of 8 bytes, 12 characters')
  .meta({
    id: 'TokenId',
    description: 'Base64 of the first 8 bytes of the SHA-256 of the token as the phone has it',
    example: 'CABBxC4BRCg=',
  });

const PUSH_KEY = 'must be the base64 of 33 bytes, 44 characters, that begin with the byte 0x31';
/** The number that a phone gives to its `push_key`, since level 468. */
export const PushKeyId = z.int().min(0).max(4_294_967_295);

/** The key that phone and server share, since level 468: base64 of 0x31 and 32 random bytes. */
export const PushKey = Secret.max(44, PUSH_KEY)
  .regex(/^M[Q-Za-f][A-Za-z0-9+/]{42}$/, PUSH_KEY)
  .meta({ description: 'The key of a secretbox: 0x31 and 32 bytes, base64 (RFC 4648)' });

/** The limits of the two texts that a phone sends to the bouncer through its chat server. */
export const MAX_BOUNCER_KEY_LENGTH = 200;
export const MAX_SEALED_REGISTRATION_LENGTH = 32_768;

/** Maximum age of a registration, in seconds. Older ones are rejected with REQUEST_EXPIRED. */
export const REGISTRATION_LIFETIME = 86_400;

interface TokenRules {
  readonly pattern: RegExp;
  readonly needsAppId: boolean;
  readonly needsKeys: boolean;
}
/** What a provider calls a phone. */
export const DeviceToken = Secret.min(1).max(4096);
export const apnsToken = /^([0-9a-fA-F]{2})+$/;

const AppId = z.string().min(1).max(255);
/** The bundle ID of an app for iOS. */
export const IosAppId = AppId.regex(
  /^[A-Za-z0-9.-]+$/,
  'must be letters, digits, dots and hyphens',
);
const tokenRules: Readonly<Record<TokenKind, TokenRules>> = {
  fcm: { pattern: /./s, needsAppId: false, needsKeys: false },
  apns: { pattern: apnsToken, needsAppId: true, needsKeys: false },
  webpush: { pattern: /^https:\/\/[^\s#]+$/, needsAppId: false, needsKeys: true },
};

/** Whether a registration of this kind has an `ios_app_id`. */
export const needsAppId = (kind: TokenKind): boolean => tokenRules[kind].needsAppId;

/** The `keys` of a browser's push subscription (RFC 8291), base64url without padding. */
export const WebPushKeys = z
  .object({
    p256dh: z
      .string()
      .max(87)
      .regex(/^[\w-]{87}$/, 'must be 65 bytes in base64url'),
    auth: z
      .string()
      .max(22)
      .regex(/^[\w-]{22}$/, 'must be 16 bytes in base64url'),
  })
  .meta({ id: 'WebPushKeys' });
export type WebPushKeys = z.output<typeof WebPushKeys>;

/** A registration, which the phone encrypts for the bouncer (spec, Push registration). */
export const PushRegistration = z
  .object({
    token: DeviceToken.meta({ description: 'The endpoint of the subscription for webpush' }),
    token_kind: TokenKind,
    timestamp: Timestamp.meta({ description: 'UNIX time in seconds' }),
    ios_app_id: IosAppId.nullish(),
    android_app_id: AppId.regex(/^[A-Za-z0-9._]+$/, 'must be letters, digits, dots and underscores')
      .nullish()
      .meta({
        description:
          'Package name of the app, only for fcm. Not in the registrations of other apps: a bouncer with several Firebase projects chooses by it',
      }),
    webpush_keys: WebPushKeys.nullish(),
  })
  .refine(({ token_kind, ios_app_id }) => needsAppId(token_kind) === (ios_app_id != null), {
    error: 'required for apns, not allowed for other kinds',
    path: ['ios_app_id'],
  })
  .refine(({ token_kind, android_app_id }) => token_kind === 'fcm' || android_app_id == null, {
    error: 'only allowed for fcm',
    path: ['android_app_id'],
  })
  .refine(({ token_kind, token }) => tokenRules[token_kind].pattern.test(token), {
    error: 'must be hexadecimal for apns, an https URL for webpush',
    path: ['token'],
  })
  .refine(
    ({ token_kind, webpush_keys }) => tokenRules[token_kind].needsKeys === (webpush_keys != null),
    {
      error: 'required for webpush, not allowed for other kinds',
      path: ['webpush_keys'],
    },
  )
  .meta({ id: 'PushRegistration' });
export type PushRegistration = z.output<typeof PushRegistration>;

/**
 * The plaintext of a notification in UTF-8, at most: encrypted and with the fields around it, it is within
 * the 4096 bytes of every provider.
 */
export const MAX_PUSH_BYTES = 2_900;
/** Messages that one `remove` notification names, at most. */
export const MAX_REMOVED_MESSAGES = 200;

const common = { realm_url: z.string(), realm_name: z.string(), user_id: z.int() };
const message = {
  ...common,
  type: z.literal('message'),
  message_id: z.int(),
  sender_id: z.int(),
  sender_full_name: FullName,
  sender_avatar_url: z.string(),
  time: z.int(),
  content: Markdown,
};

/** The plaintext of `encrypted_data`, which only the phone can decrypt. */
export const PushPayload = z
  .union([
    z.object({
      ...message,
      recipient_type: z.literal('channel'),
      channel_id: z.int(),
      channel_name: z.string(),
      topic: TopicName,
      mentioned_user_group_id: z.int().optional(),
      mentioned_user_group_name: z.string().optional(),
    }),
    z.object({
      ...message,
      recipient_type: z.literal('direct'),
      pm_users: z.string().optional(),
      recipient_user_ids: z.array(z.int()).optional().meta({
        description: 'All participants in ascending order; of servers of level 429 and later',
      }),
    }),
    z.object({ ...common, type: z.literal('remove'), message_ids: z.array(z.int()) }),
    z.object({ ...common, type: z.literal('test'), time: z.int() }),
  ])
  .meta({ id: 'PushPayload' });
export type PushPayload = z.output<typeof PushPayload>;
