import { z } from 'zod';

import { PushOutcome } from '../push/push-outcome.ts';
import { CipherId } from '../push/push-traces.ts';
import { TokenId, TokenKind } from '../push/push.ts';
import { Name, PublicKey, Timestamp } from '../values/fields.ts';
import { endpoint } from '../wire/endpoint.ts';
import { BouncerTrace, MAX_TRACED_CIPHERS } from './bouncer-traces.ts';
import { bouncer } from './bouncer.ts';

const realm = { realm_uuid: z.uuid() };
const time = Timestamp.meta({ description: 'UNIX seconds' });
const MAX_PAGE = 1_000;
const pageLimit = z.int().min(1).max(MAX_PAGE).default(500);

/** One line of the feedback log. Numbers grow; some are skipped. */
export const FeedbackEntry = z
  .object({
    number: z.int(),
    time,
    ...realm,
    ...PushOutcome.pick({
      push_id: true,
      device_id: true,
      token_id: true,
      provider: true,
      outcome: true,
      reason: true,
      provider_id: true,
    }).shape,
  })
  .meta({ id: 'FeedbackEntry' });
export type FeedbackEntry = z.output<typeof FeedbackEntry>;

/** A device as the bouncer stores it, without its token. */
const StoredDevice = z
  .object({
    device_id: z.int(),
    push_account_id: z.string().nullable().meta({
      description: 'Decimal digits; null if it registered with its token_id',
    }),
    token_id: TokenId.nullable().default(null).meta({
      description: 'Null if it registered with a push_account_id',
    }),
    token_kind: TokenKind,
    ios_app_id: z.string().nullable(),
    android_app_id: z.string().nullable(),
    token_hash: z.string().meta({ description: 'Names the token in the log of the bouncer' }),
    registered_at: time,
    dead_since: time.nullable(),
    quarantined_until: time.nullable(),
  })
  .meta({ id: 'StoredDevice' });

/** A quota of a server, and its uses. */
const QuotaState = z
  .object({
    name: Name,
    limit: z.int().nullable().meta({ description: 'Null: unlimited' }),
    seconds: z.int().nullable().meta({
      description: 'The window in which the limit counts; null for a number of devices that exist',
    }),
    used: z.int().nullable().meta({
      description:
        'By the chat server in the current window; while it sends much also what the nodes of the bouncer need for the next seconds, at most 2 % of the limit for each. Null for a quota of each realm, account or device',
    }),
    resets_at: time.nullable().meta({ description: 'When the window ends, in UNIX seconds' }),
  })
  .meta({ id: 'QuotaState' });

/**
 * The bouncer's own API, beside that of public chat servers (`bouncer`): the outcome of each
 * notification, and the data of a server. Paths are relative to `/v1`.
 */
export const bouncerV1 = {
  keys: {
    list: endpoint('GET /keys', {
      summary: 'List the public keys that phones may encrypt their registrations with',
      description: 'The first is the newest: ship it with the apps.',
      access: 'anyone',
      result: {
        keys: z.array(z.object({ public_key: PublicKey })),
        vapid_public_key: PublicKey.nullable().meta({
          description:
            'The applicationServerKey that browsers subscribe with; null without Web Push',
        }),
      },
    }),
  },
  pushes: {
    send: endpoint('POST /realms/{realm_uuid}/pushes', {
      summary: 'Send encrypted notifications to devices',
      description:
        'The answer has one outcome for each of push_requests, in their order. What becomes of a queued notification is in the feedback log.',
      access: 'server',
      body: 'json',
      hasIdempotencyKey: true,
      params: bouncer.push.notify.params.shape,
      result: { outcomes: z.array(PushOutcome) },
      errors: bouncer.push.notify.errors,
    }),
  },
  feedback: {
    list: endpoint('GET /feedback', {
      summary: 'Read the feedback log of the chat server',
      description:
        'It has every outcome but those accepted in the answer to the request: of queued notifications the final one, and dead devices, refused and quarantined notifications, also if the answer that told them was lost. Entries are kept for 7 days. Read on from `next`.',
      access: 'server',
      params: {
        after: z.int().min(0).default(0).meta({ description: 'The number of the last entry read' }),
        limit: pageLimit,
      },
      result: {
        entries: z.array(FeedbackEntry),
        next: z.int().meta({ description: 'The `after` of the next request' }),
        has_more: z.boolean(),
      },
    }),
  },
  traces: {
    list: endpoint('GET /traces', {
      summary: 'Read what was done for notifications of the chat server',
      description:
        'Every attempt at the provider with its answer and what followed from it. Traces are kept for 3 days, the newest 200,000 of all servers unless the operator has chosen otherwise; a crash may lose them. Those of another chat server are not found.',
      access: 'server',
      params: { cipher_ids: z.array(CipherId).min(1).max(MAX_TRACED_CIPHERS) },
      result: { traces: z.array(BouncerTrace) },
    }),
  },
  quotas: {
    list: endpoint('GET /quotas', {
      summary: 'List the quotas of the chat server, and what it has used of them',
      access: 'server',
      result: { quotas: z.array(QuotaState) },
    }),
  },
  devices: {
    register: endpoint('POST /realms/{realm_uuid}/devices', {
      summary: 'Register a device with its encrypted registration',
      access: 'server',
      params: bouncer.push.register.params.shape,
      result: bouncer.push.register.result.shape,
      errors: bouncer.push.register.errors,
    }),
    list: endpoint('GET /realms/{realm_uuid}/devices', {
      summary: 'List the devices of a realm, without their tokens',
      access: 'server',
      params: {
        ...realm,
        after: z
          .int()
          .min(0)
          .default(0)
          .meta({ description: 'The device_id of the last one read' }),
        limit: pageLimit,
      },
      result: { devices: z.array(StoredDevice), has_more: z.boolean() },
      errors: ['MISSING_REMOTE_REALM', 'REMOTE_REALM_SERVER_MISMATCH_ERROR'],
    }),
    remove: endpoint('DELETE /realms/{realm_uuid}/devices/{device_id}', {
      summary: 'Delete a device with its token; notifications that wait for it are not sent',
      access: 'server',
      params: { ...realm, device_id: z.int() },
      errors: ['MISSING_REMOTE_REALM', 'REMOTE_REALM_SERVER_MISMATCH_ERROR', 'NOT_FOUND'],
    }),
  },
};
export type BouncerV1 = typeof bouncerV1;
