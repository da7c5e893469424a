import { z } from 'zod';

import { OutcomeKind } from '../push/push-outcome.ts';
import { CipherId } from '../push/push-traces.ts';
import { TokenKind } from '../push/push.ts';
import { Email, PublicKey, Secret } from '../values/fields.ts';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH, MAX_WORD_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { BouncerTrace } from './bouncer-traces.ts';

/** The path at which a bouncer serves its operator. */
export const OPERATOR_PREFIX = '/v1/admin';
/** The name with which operators log in; the token is the password. */
export const OPERATOR_NAME = 'operator';
/** Points of a plot, at most. */
export const MAX_OUTCOME_STEPS = 500;

const ms = z.int().meta({ description: 'UNIX milliseconds' });
const server_uuid = z.uuid();
const limit = z.int().min(1).max(200).default(100);
const subject = z.string().min(1).max(MAX_NAME_LENGTH).meta({
  description: 'ID of a chat server, or host name in which `*` stands for any characters',
});
/** How long an invitation of a chat server is valid at most. */
export const MAX_INVITATION_HOURS = 24 * 365;

const OperatedServer = z
  .object({
    server_uuid,
    hostname: z.string(),
    contact_email: Email,
    version: z.string().nullable(),
    state: z.enum(['active', 'banned', 'deactivated']),
    created_ms: ms,
    realms: z.int(),
    devices: z.int().meta({ description: 'Those that are not dead' }),
  })
  .meta({ id: 'OperatedServer' });
export type OperatedServer = z.output<typeof OperatedServer>;

const OperatedApp = z
  .object({
    provider: TokenKind,
    app: z.string().nullable().meta({ description: 'Null: devices whose registration names none' }),
    sender: z.string().nullable().meta({ description: 'Whose credentials serve it' }),
    state: z.enum(['ok', 'unconfigured', 'paused', 'broken', 'doubted']),
    reason: z.string().nullable(),
    devices: z.int(),
    quarantined: z.int(),
    dead: z.int(),
  })
  .meta({ id: 'OperatedApp' });
export type OperatedApp = z.output<typeof OperatedApp>;

const OperatedKey = z
  .object({
    public_key: PublicKey,
    state: z.enum(['newest', 'older', 'retired']),
    kept_in: z.enum(['database', 'environment', 'nowhere', 'unknown']),
    created_ms: ms.nullable(),
    devices: z.int(),
    last_registration_ms: ms.nullable(),
    can_retire: z.boolean(),
    verdict: z.string().meta({ description: 'Why it can be retired, or not' }),
  })
  .meta({ id: 'OperatedKey' });
export type OperatedKey = z.output<typeof OperatedKey>;

const ProviderBacklog = z
  .object({
    provider: TokenKind,
    waiting: z.int().meta({ description: 'For their next attempt' }),
    running: z.int(),
    ended: z.int().meta({ description: 'Given up or refused; kept for 30 days' }),
    oldest_seconds: z.number().meta({ description: 'Age of the oldest that is not ended' }),
  })
  .meta({ id: 'ProviderBacklog' });
export type ProviderBacklog = z.output<typeof ProviderBacklog>;

const QueueState = z.enum(['waiting', 'ended']);
const QueuedNotification = z
  .object({
    push_id: z.string(),
    state: QueueState,
    provider: TokenKind,
    server_uuid: z.string(),
    device_id: z.int(),
    attempts: z.int(),
    accepted_ms: ms,
    next_attempt_ms: ms.nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'QueuedNotification' });
export type QueuedNotification = z.output<typeof QueuedNotification>;

const LoggedFeedback = z
  .object({
    at_ms: ms,
    server_uuid: z.string(),
    push_id: z.string(),
    device_id: z.int().nullable(),
    provider: TokenKind.nullable(),
    outcome: OutcomeKind,
    reason: z.string().nullable(),
  })
  .meta({ id: 'LoggedFeedback' });
export type LoggedFeedback = z.output<typeof LoggedFeedback>;

/** Actions that the audit log of a bouncer records. */
export const AuditAction = z.enum([
  'server_registered',
  'host_name_changed',
  'key_rotated',
  'server_transferred',
  'server_deactivated',
  'server_activated',
  'server_invited',
  'invitation_revoked',
  'server_banned',
  'server_unbanned',
  'quota_exceeded',
  'quota_set',
  'data_exported',
  'pushes_replayed',
  'server_deleted',
  'realm_deleted',
  'device_deleted',
  'key_created',
  'key_imported',
  'key_retired',
  'keys_resealed',
]);
export type AuditAction = z.output<typeof AuditAction>;

const AuditRecord = z
  .object({
    number: z.int(),
    at_ms: ms,
    actor: z.string(),
    action: z.string(),
    server_uuid: z.string().nullable(),
    device_id: z.int().nullable(),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditRecord' });
export type AuditRecord = z.output<typeof AuditRecord>;

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
    setActive: endpoint('PATCH /servers/{server_uuid}', {
      summary: 'Deactivate a chat server, or activate it again',
      access: 'operator',
      params: { server_uuid, active: z.boolean() },
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
        public_key: PublicKey.max(MAX_WORD_LENGTH),
        force: z.boolean().default(false).meta({ description: 'Also while devices use the key' }),
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
      params: { state: QueueState, provider: TokenKind.optional(), limit },
      result: { notifications: z.array(QueuedNotification) },
    }),
    replay: endpoint('POST /queue/replay', {
      summary: 'Send notifications of the queue now',
      description: 'The oldest 1000 at most. They are given up after an hour.',
      access: 'operator',
      params: { state: QueueState, provider: TokenKind.optional() },
      result: { count: z.int() },
      errors: ['BAD_REQUEST'],
    }),
  },
  outcomes: {
    list: endpoint('GET /outcomes', {
      summary: 'Count what became of notifications over time',
      description: `From the traces of the last 3 days, in at most ${MAX_OUTCOME_STEPS} steps.`,
      access: 'operator',
      params: {
        from_ms: ms,
        to_ms: ms,
        step_ms: z.int().min(1000).max(86_400_000),
        group_by: z.enum(['outcome', 'provider']).default('outcome'),
      },
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
        outcome: OutcomeKind.optional(),
        provider: TokenKind.optional(),
        cipher_id: CipherId.optional(),
        limit,
      },
      result: { pushes: z.array(BouncerTrace.extend({ at_ms: ms })) },
    }),
  },
  feedback: {
    list: endpoint('GET /feedback', {
      summary: 'Read the latest entries of the feedback logs of all chat servers',
      access: 'operator',
      params: { outcome: OutcomeKind.optional(), provider: TokenKind.optional(), limit },
      result: { entries: z.array(LoggedFeedback) },
    }),
  },
  audit: {
    list: endpoint('GET /audit', {
      summary: 'Read the latest entries of the audit log',
      access: 'operator',
      params: { action: AuditAction.optional(), limit },
      result: { entries: z.array(AuditRecord) },
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
        hours: z.int().min(1).max(MAX_INVITATION_HOURS).default(72),
        server_uuid: server_uuid.optional().meta({
          description: 'The only server that may use it; then it has no token',
        }),
      },
      result: {
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
      params: { number: z.int() },
      errors: ['BAD_REQUEST'],
    }),
  },
};
export type BouncerOperator = typeof bouncerOperator;
