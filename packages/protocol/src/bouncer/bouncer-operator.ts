import { z } from 'zod';

import { CipherId } from '../push/push-traces.ts';
import { PublicKey, Secret } from '../values/fields.ts';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH, MAX_WORD_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { BouncerTrace } from './bouncer-traces.ts';
import {
  AuditAction,
  AuditRecord,
  device_id,
  LoggedFeedback,
  ms,
  OperatedApp,
  OperatedDevice,
  OperatedKey,
  OperatedQuota,
  OperatedRealm,
  OperatedServer,
  ProviderBacklog,
  QueuedNotification,
  realm_uuid,
  server_uuid,
} from './operated-records.ts';
import {
  limit,
  MAX_REPLAYED,
  ofOutcome,
  ofProvider,
  ofRealm,
  ofServer,
  outcomeRange,
  queueFilter,
  server,
  subject,
} from './operator-parameters.ts';

/** The path at which a bouncer serves its operator. */
export const OPERATOR_PREFIX = '/v1/admin';
/** The name with which operators log in; the token is the password. Another name is theirs in the audit log. */
export const OPERATOR_NAME = 'operator';
/** Points of a plot, at most. */
export const MAX_OUTCOME_STEPS = 500;

/** How long an invitation of a chat server is valid at most. */
export const MAX_INVITATION_HOURS = 24 * 365;

/**
 * The operations of the operator of a bouncer, without a database login. They are off unless the
 * bouncer has BELLHOP_BOUNCER_OPERATOR_TOKEN. No answer has a device token, a private key or a
 * ciphertext.
 */
export const bouncerOperator = {
  session: {
    signIn: endpoint('POST /session', {
      summary: 'Sign a browser in as the operator',
      description:
        'Sets one half of the session as an HttpOnly cookie; the page sends the other one as `Bellhop-Console`. A session ends after 12 hours and with another operator token.',
      access: 'anyone',
      params: { token: Secret.max(MAX_WORD_LENGTH * 4) },
      result: { console_key: Secret },
      errors: ['AUTHENTICATION_FAILED', 'NOT_FOUND'],
    }),
  },
  servers: {
    list: endpoint('GET /servers', {
      summary: 'List the chat servers, the newest first',
      access: 'operator',
      result: { servers: z.array(OperatedServer) },
    }),
    show: endpoint('GET /servers/{server}', {
      summary: 'Show a chat server with its realms, its quotas and what was done to it',
      access: 'operator',
      params: { server },
      result: {
        server: OperatedServer,
        realms: z.array(OperatedRealm),
        quotas: z.array(OperatedQuota),
        audit: z.array(AuditRecord).meta({ description: 'The latest entries about it' }),
      },
      errors: ['BAD_REQUEST'],
    }),
    setActive: endpoint('PATCH /servers/{server}', {
      summary: 'Deactivate a chat server, or activate it again',
      description:
        'Calls of a deactivated server are answered UNAUTHORIZED, and registering again does not help. Its data stays, its host name is free for another server. An activated server calls again with the same key as before.',
      access: 'operator',
      params: {
        server,
        active: z.boolean().meta({ description: 'Whether it may use the bouncer' }),
      },
      result: { hostname: z.string(), changed: z.boolean() },
      errors: ['BAD_REQUEST'],
    }),
    setQuotas: endpoint('PATCH /servers/{server}/quotas', {
      summary: 'Set quotas of a chat server',
      description:
        'A value is a whole number, `unlimited`, or `default`: that of BELLHOP_BOUNCER_QUOTAS. Other quotas stay as they are. An unknown name is refused with the names that there are.',
      access: 'operator',
      params: {
        server,
        quotas: z
          .record(
            z.string().max(MAX_WORD_LENGTH),
            z.union([z.int().min(0), z.enum(['default', 'unlimited'])], {
              error: 'write a whole number, unlimited or default',
            }),
          )
          .meta({ description: 'Values by quota, such as notifications_per_day=100000' }),
      },
      result: {
        hostname: z.string(),
        quotas: z.array(OperatedQuota).meta({ description: 'Those of the request, now in force' }),
      },
      errors: ['BAD_REQUEST'],
    }),
    export: endpoint('POST /servers/{server}/export', {
      summary: 'Export all that is stored about a chat server, or one of its realms',
      description:
        'Facts, quotas, realms, devices, what became of notifications, those that wait, and the audit log, each record with its type. Without secrets: no keys, and of tokens only hashes.',
      access: 'operator',
      params: {
        server,
        realm_uuid: ofRealm,
        after: z
          .string()
          .max(MAX_NAME_LENGTH)
          .optional()
          .meta({ description: '`next` of the answer before' }),
      },
      result: {
        records: z.array(z.looseObject({ type: z.string() })),
        next: z.string().nullable().meta({
          description:
            'An answer has a part; pass this as `after` for the following one. Null: that was all',
        }),
      },
      errors: ['BAD_REQUEST'],
    }),
    delete: endpoint('DELETE /servers/{server}', {
      summary: 'Delete a chat server with its realms, their devices and all data',
      description:
        'The audit log keeps its ID. A server that may register can do so again: ban it first if it shall not. The phones of a deleted server register again when their app finds that they get nothing.',
      access: 'operator',
      params: { server },
      result: { hostname: z.string() },
      errors: ['BAD_REQUEST'],
    }),
    deleteRealm: endpoint('DELETE /servers/{server}/realms/{realm_uuid}', {
      summary: 'Delete a realm of a chat server with its devices and all data',
      description: 'An active server announces the realm again, without its devices.',
      access: 'operator',
      params: { server, realm_uuid },
      errors: ['BAD_REQUEST'],
    }),
  },
  devices: {
    list: endpoint('GET /devices', {
      summary: 'List devices in the order of their IDs, without their tokens',
      access: 'operator',
      params: {
        server_uuid: ofServer,
        realm_uuid: ofRealm,
        after: z
          .int()
          .min(0)
          .default(0)
          .meta({ description: 'Only those with an ID above this one' }),
        limit,
      },
      result: { devices: z.array(OperatedDevice) },
    }),
    show: endpoint('GET /devices/{device_id}', {
      summary: 'Show a device, without its token',
      access: 'operator',
      params: { device_id },
      result: { device: OperatedDevice },
      errors: ['BAD_REQUEST'],
    }),
    delete: endpoint('DELETE /devices/{device_id}', {
      summary: 'Delete a device with all that is stored about it',
      description:
        'Also what became of its notifications, and those that wait for it. Its chat server learns of it with its next notification; the phone can register again.',
      access: 'operator',
      params: { device_id },
      errors: ['BAD_REQUEST'],
    }),
    sendTest: endpoint('POST /devices/{device_id}/test', {
      summary: 'Send a device a test notification, and say what its provider answers',
      description:
        'Over a connection of its own. An iPhone shows "Test notification of the push bouncer"; an Android app gets data that it cannot decrypt. Whatever the answer, the device stays registered.',
      access: 'operator',
      params: { device_id },
      result: {
        accepted: z.boolean(),
        lines: z.array(z.string()).meta({ description: 'The answer, and advice about it' }),
      },
      errors: ['BAD_REQUEST'],
    }),
  },
  apps: {
    list: endpoint('GET /apps', {
      summary: 'List the apps with the state of their credentials, and their devices',
      access: 'operator',
      result: { apps: z.array(OperatedApp) },
    }),
  },
  keys: {
    list: endpoint('GET /keys', {
      summary: 'List the key ring, with what speaks against retiring a key',
      access: 'operator',
      result: { keys: z.array(OperatedKey) },
    }),
    create: endpoint('POST /keys', {
      summary: 'Make a key pair for registrations',
      description:
        'The private key is stored encrypted, and no answer has it. Running bouncers accept the key within a second or two.',
      access: 'operator',
      result: { public_key: PublicKey.meta({ description: 'Ship it with the apps' }) },
      errors: ['BAD_REQUEST'],
    }),
    retire: endpoint('POST /keys/retire', {
      summary: 'Delete the private key of a pair',
      description:
        'Phones whose app has the public key can no longer register; those that are registered get their notifications. The last key cannot be retired.',
      access: 'operator',
      params: {
        public_key: PublicKey.max(MAX_WORD_LENGTH).meta({
          description: 'The public key of the pair',
        }),
        force: z.boolean().default(false).meta({ description: 'Also while devices use the key' }),
      },
      result: {
        kept_in: z.enum(['environment', 'nowhere']).meta({
          description:
            'Where the private key still is: in BELLHOP_BOUNCER_KEYS of the bouncer, which no longer uses it',
        }),
      },
      errors: ['BAD_REQUEST'],
    }),
  },
  lanes: {
    list: endpoint('GET /lanes', {
      summary: 'Count the notifications that wait, by provider',
      access: 'operator',
      result: { lanes: z.array(ProviderBacklog) },
    }),
  },
  queue: {
    list: endpoint('GET /queue', {
      summary: 'List notifications of the queue, the oldest first',
      access: 'operator',
      params: {
        ...queueFilter,
        limit: z
          .int()
          .min(1)
          .max(MAX_REPLAYED)
          .default(100)
          .meta({ description: 'At most so many, the oldest first' }),
      },
      result: { notifications: z.array(QueuedNotification) },
    }),
    replay: endpoint('POST /queue/replay', {
      summary: 'Send notifications of the queue now',
      description:
        'Those that were given up or refused once more, after a fault was repaired; those that wait at once. Chat servers are not told of the result again. Old news may annoy people: list them first.',
      access: 'operator',
      params: {
        ...queueFilter,
        limit: z
          .int()
          .min(1)
          .max(MAX_REPLAYED)
          .default(MAX_REPLAYED)
          .meta({ description: 'At most so many, the oldest first' }),
        seconds: z
          .int()
          .min(1)
          .max(86_400)
          .default(3_600)
          .meta({ description: 'Give them up after so many seconds from now' }),
      },
      result: { count: z.int() },
      errors: ['BAD_REQUEST'],
    }),
  },
  outcomes: {
    list: endpoint('GET /outcomes', {
      summary: 'Count what became of notifications over time',
      description: `From the traces of the last 3 days, in at most ${MAX_OUTCOME_STEPS} steps.`,
      access: 'operator',
      params: outcomeRange,
      result: {
        times: z.array(ms),
        series: z.array(z.object({ label: z.string(), values: z.array(z.int()) })),
      },
      errors: ['BAD_REQUEST'],
    }),
  },
  pushes: {
    list: endpoint('GET /pushes', {
      summary: 'List the latest notifications with every attempt and its verdict, newest first',
      access: 'operator',
      params: {
        outcome: ofOutcome,
        provider: ofProvider,
        cipher_id: CipherId.optional().meta({
          description:
            'Only with this ciphertext: the first 16 digits of the SHA-256 of encrypted_data',
        }),
        limit,
      },
      result: { pushes: z.array(BouncerTrace.extend({ at_ms: ms })) },
    }),
  },
  feedback: {
    list: endpoint('GET /feedback', {
      summary: 'Read the latest entries of the feedback logs of all chat servers',
      access: 'operator',
      params: { outcome: ofOutcome, provider: ofProvider, limit },
      result: { entries: z.array(LoggedFeedback) },
    }),
  },
  audit: {
    list: endpoint('GET /audit', {
      summary: 'Read the latest entries of the audit log',
      access: 'operator',
      params: {
        action: AuditAction.optional().meta({ description: 'Only this action' }),
        server: server
          .optional()
          .meta({ description: 'Only what was done to this chat server: its ID or host name' }),
        limit,
      },
      result: { entries: z.array(AuditRecord) },
      errors: ['BAD_REQUEST'],
    }),
  },
  access: {
    list: endpoint('GET /access', {
      summary: 'List bans and open invitations',
      access: 'operator',
      result: {
        bans: z.array(z.object({ subject: z.string(), reason: z.string(), created_ms: ms })),
        invitations: z.array(
          z.object({ number: z.int(), server_uuid: z.string().nullable(), expires_ms: ms }),
        ),
      },
    }),
    ban: endpoint('POST /bans', {
      summary: 'Refuse a chat server, or those of a host name',
      description: 'They can neither register nor call, from their next request on.',
      access: 'operator',
      params: {
        subject,
        reason: z.string().max(MAX_TEXT_LENGTH).default('').meta({
          description: 'For operators: in the list and in the audit log',
        }),
      },
      result: {
        hostnames: z.array(z.string()).meta({ description: 'Registered servers that it meets' }),
      },
      errors: ['BAD_REQUEST'],
    }),
    unban: endpoint('DELETE /bans/{subject}', {
      summary: 'Take a ban back',
      access: 'operator',
      params: { subject },
      errors: ['BAD_REQUEST'],
    }),
    invite: endpoint('POST /invitations', {
      summary: 'Let a chat server register, once',
      access: 'operator',
      params: {
        hours: z.int().min(1).max(MAX_INVITATION_HOURS).default(72).meta({
          description: 'How long it can be used',
        }),
        server_uuid: server_uuid.optional().meta({
          description: 'The only server that may use it; then it has no token',
        }),
      },
      result: {
        number: z.int().meta({ description: 'With which it can be revoked' }),
        token: Secret.nullable().meta({
          description: 'Of BELLHOP_BOUNCER_REGISTRATION_TOKEN; only its hash is stored',
        }),
        expires_ms: ms,
      },
      errors: ['BAD_REQUEST'],
    }),
    revoke: endpoint('DELETE /invitations/{number}', {
      summary: 'Take an invitation back',
      access: 'operator',
      params: { number: z.int().meta({ description: 'Its number, as the list has it' }) },
      errors: ['BAD_REQUEST'],
    }),
  },
};
export type BouncerOperator = typeof bouncerOperator;
