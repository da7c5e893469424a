import { z } from 'zod';

import { OutcomeKind } from '../push/push-outcome.ts';
import { TokenId, TokenKind } from '../push/push.ts';
import { Email, PublicKey } from '../values/fields.ts';

export const ms = z.int().min(0).meta({ description: 'UNIX milliseconds' });
// In the letters of the database: what is stored in JSON is compared as text.
export const server_uuid = z.uuid().toLowerCase();
export const realm_uuid = z.uuid().toLowerCase().meta({ description: 'ID of a realm' });
export const device_id = z.int().min(1).meta({ description: 'ID of a device' });
export const OperatedServer = z
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

export const OperatedRealm = z
  .object({
    realm_uuid,
    name: z.string(),
    url: z.string(),
    can_push: z.boolean(),
    deactivated: z.boolean(),
    devices: z.int().meta({ description: 'Those that are not dead' }),
  })
  .meta({ id: 'OperatedRealm' });
export type OperatedRealm = z.output<typeof OperatedRealm>;

export const OperatedQuota = z
  .object({
    quota: z.string(),
    value: z.union([z.int(), z.enum(['default', 'unlimited'])]).meta({
      description: 'As the operator has set it for this chat server',
    }),
    limit: z.int().nullable().meta({ description: 'What is in force. Null: unlimited' }),
    used: z.int().nullable().meta({
      description:
        'In the current window; of a busy server also what the nodes need for the next seconds, at most 2 % of the limit for each. Null except for rates of the server',
    }),
  })
  .meta({ id: 'OperatedQuota' });
export type OperatedQuota = z.output<typeof OperatedQuota>;

export const OperatedDevice = z
  .object({
    device_id,
    realm_uuid,
    push_account_id: z.string().nullable().meta({
      description: 'Decimal digits; null if it registered with its token_id',
    }),
    token_id: TokenId.nullable().meta({
      description: 'Null if it registered with a push_account_id',
    }),
    token_kind: TokenKind,
    ios_app_id: z.string().nullable(),
    android_app_id: z.string().nullable(),
    token_hash: z.string().meta({ description: 'Names the token in the log of the bouncer' }),
    registered_ms: ms,
    dead_since_ms: ms.nullable(),
    quarantined_until_ms: ms.nullable(),
    bouncer_public_key: z.string().meta({
      description: 'The public key that the latest registration was encrypted with',
    }),
  })
  .meta({ id: 'OperatedDevice' });
export type OperatedDevice = z.output<typeof OperatedDevice>;

export const OperatedApp = z
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

export const OperatedKey = z
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

export const ProviderBacklog = z
  .object({
    provider: TokenKind,
    waiting: z.int().meta({ description: 'For their next attempt' }),
    running: z.int(),
    ended: z.int().meta({ description: 'Given up or refused; kept for 30 days' }),
    oldest_seconds: z.number().meta({ description: 'Age of the oldest that is not ended' }),
  })
  .meta({ id: 'ProviderBacklog' });
export type ProviderBacklog = z.output<typeof ProviderBacklog>;

export const QueueState = z.enum(['waiting', 'ended']);
export const QueuedNotification = z
  .object({
    push_id: z.string(),
    state: QueueState,
    provider: TokenKind,
    server_uuid: z.string(),
    realm_uuid: z.string(),
    device_id: z.int(),
    attempts: z.int().meta({ description: 'In the queue' }),
    accepted_ms: ms,
    next_attempt_ms: ms.nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'QueuedNotification' });
export type QueuedNotification = z.output<typeof QueuedNotification>;

export const LoggedFeedback = z
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

export const AuditRecord = z
  .object({
    number: z.int(),
    at_ms: ms,
    actor: z.string(),
    action: z.string(),
    server_uuid: z.string().nullable(),
    realm_uuid: z.string().nullable(),
    device_id: z.int().nullable(),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditRecord' });
export type AuditRecord = z.output<typeof AuditRecord>;
