import { z } from 'zod';

import { TopicName } from '../values/fields.ts';

/**
 * The push types of Apple that an app's token can get, and the suffix of the app's ID in
 * `apns-topic`. `mdm` is not among them: its topic belongs to a device management profile, not to
 * an app.
 */
export const apnsTopicSuffixes = {
  alert: '',
  background: '',
  location: '.location-query',
  voip: '.voip',
  complication: '.complication',
  fileprovider: '.pushkit.fileprovider',
  pushtotalk: '.voip-ptt',
  liveactivity: '.push-type.liveactivity',
  widgets: '.push-type.widgets',
  controls: '.push-type.controls',
} as const;
type ApnsPushType = keyof typeof apnsTopicSuffixes;
const pushTypes = Object.keys(apnsTopicSuffixes) as ApnsPushType[];

const ADDED = 'Not sent by public chat servers';
/** The longest time that a provider keeps a message, in seconds: four weeks. */
export const MAX_TTL = 2_419_200;

/** Collapse IDs travel in an HTTP header of APNs. */
const CollapseId = z
  .string()
  .regex(/^[\x20-\x7e]{1,64}$/, 'must be 1 to 64 printable characters of ASCII')
  .max(64);

/**
 * Apple's options of a notification. They are checked together: Apple refuses some combinations,
 * and each refusal counts against the bouncer.
 */
export const ApnsOptions = z
  .looseObject({
    apns_priority: z.literal([10, 5, 1]),
    apns_push_type: z.enum(pushTypes),
    apns_collapse_id: CollapseId.optional().meta({
      description: `A newer notification with the same ID replaces an older one on the phone. ${ADDED}`,
    }),
    apns_expiration: z
      .int()
      .min(0)
      .max(999_999_999_999)
      .optional()
      .meta({
        description: `UNIX seconds until which Apple keeps the notification for a phone that is offline, and the bouncer retries it; 0: not at all. ${ADDED}`,
      }),
  })
  .refine(
    ({ apns_push_type, apns_priority }) => apns_push_type !== 'background' || apns_priority === 5,
    { error: 'must be 5 for the push type background', path: ['apns_priority'] },
  );

/** The options of a notification for a browser (RFC 8030). */
export const WebPushOptions = z.looseObject({
  ttl: z.int().min(0).max(MAX_TTL).meta({
    description:
      'Seconds for which the push service keeps the notification, and the bouncer retries it; 0: not at all',
  }),
  urgency: z.enum(['very-low', 'low', 'normal', 'high']),
  topic: TopicName.max(32)
    .regex(/^[\w-]{1,32}$/, 'must be 1 to 32 characters of base64url')
    .optional()
    .meta({ description: 'A newer notification with the same topic replaces one that waits' }),
});

/** Google's options of a notification. */
export const fcmOptions = {
  fcm_priority: z.enum(['high', 'normal']),
  fcm_ttl: z
    .int()
    .min(0)
    .max(MAX_TTL)
    .optional()
    .meta({
      description: `Seconds for which Google keeps the notification for a phone that is offline, and the bouncer retries it; 0: not at all. ${ADDED}`,
    }),
  fcm_collapse_key: CollapseId.optional().meta({
    description: `Google keeps only the newest notification with this key for a phone that is offline. ${ADDED}`,
  }),
};
