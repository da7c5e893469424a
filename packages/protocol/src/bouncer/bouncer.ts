import { z } from 'zod';

import { legacyPush } from '../push/legacy-push.ts';
import { PushOutcome } from '../push/push-outcome.ts';
import { PushItem } from '../push/push-request.ts';
import {
  MAX_BOUNCER_KEY_LENGTH,
  MAX_SEALED_REGISTRATION_LENGTH,
  PushAccountId,
  PushRegistration,
  TokenId,
  TokenKind,
} from '../push/push.ts';
import { RealmPushStatus } from '../push/realm-push-status.ts';
import { PublicKey, Secret } from '../values/fields.ts';
import { HostName, normalHost } from '../values/host-name.ts';
import { openObject } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';

const OrgId = z.uuid();
const OrgKey = Secret.length(64)
  .regex(/^[A-Za-z0-9]+$/)
  .meta({ example: 'k2v9QmYx0aZr4TtLw7NbHc3PdEf6GsJu'.repeat(2) });
/** Characters of a payload, a realm or a row of analytics as JSON text. */
const MAX_OBJECT_LENGTH = 32_768;

/** How many notifications one request may hold. Chat servers send those of one user together. */
export const MAX_PUSH_REQUESTS = 500;

/**
 * Text that the bouncer stores. Null bytes, which PostgreSQL cannot store, are removed: one name with
 * a null byte must not fail the announcement of all realms.
 */
const storedText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .transform((text) => text.replaceAll('\0', ''));

/** Some chat servers send it as JSON text, with quotation marks. */
const ServerVersion = storedText(100).transform((text) => text.replace(/^"(.*)"$/, '$1'));

/** A realm as its chat server announces it. The bouncer rejects pushes of unannounced realms. */
export const AnnouncedRealm = openObject(
  {
    id: z.int(),
    // In the one form of host names; one that is none must not fail the announcement of all realms.
    host: storedText(1_000).transform((host) => normalHost(host) ?? host),
    url: storedText(2_000),
    name: storedText(1_000).default(''),
    uuid: OrgId,
    uuid_owner_secret: z.string().max(1_000),
    deactivated: z.boolean().default(false),
  },
  MAX_OBJECT_LENGTH,
);
export type AnnouncedRealm = z.output<typeof AnnouncedRealm>;

const rows = z.array(openObject({ id: z.int() }, MAX_OBJECT_LENGTH)).max(100_000);

/** The API of the push bouncer. Paths are relative to `/api/v1/remotes`. */
export const bouncer = {
  servers: {
    register: endpoint('POST /server/register', {
      summary: 'Register a chat server, or rotate its key',
      access: 'anyone',
      params: {
        zulip_org_id: OrgId,
        zulip_org_key: OrgKey,
        hostname: HostName,
        contact_email: z.email().max(254).meta({ example: 'iago@example.com' }),
        new_org_key: OrgKey.optional(),
        // Not in the public bouncer's API.
        registration_token: z.string().max(200).optional(),
      },
      result: { created: z.boolean() },
      errors: ['INVALID_ZULIP_SERVER', 'HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR'],
    }),
    transfer: endpoint('POST /server/register/transfer', {
      summary: 'Begin to prove that a registered host name is yours',
      description:
        'Within 10 seconds, serve the verification_secret as JSON at https://{hostname}/api/v1/zulip-services/verify/{access_token}/ and call verify_challenge with the access_token, which you choose.',
      access: 'anyone',
      params: { hostname: HostName },
      result: { verification_secret: z.string() },
    }),
    verifyChallenge: endpoint('POST /server/register/verify_challenge', {
      summary: 'Take over the registration of a host name that is yours',
      description: 'Returns its ID and a new key; the old key is no longer valid.',
      access: 'anyone',
      params: {
        hostname: HostName,
        access_token: Secret.min(1)
          .max(1_000)
          .regex(/^[A-Za-z0-9_-]+$/, 'must be letters, digits, - and _'),
      },
      result: { zulip_org_id: OrgId, zulip_org_key: OrgKey },
    }),
    deactivate: endpoint('POST /server/deactivate', {
      summary: 'Deactivate the registration of a chat server',
      access: 'server',
    }),
    analyticsStatus: endpoint('GET /server/analytics/status', {
      summary: 'Get the last analytics rows that the bouncer received',
      access: 'server',
      result: {
        last_realm_count_id: z.int(),
        last_installation_count_id: z.int(),
        last_realmauditlog_id: z.int(),
      },
    }),
    announce: endpoint('POST /server/analytics', {
      summary: 'Announce the realms of a chat server, and send its analytics',
      access: 'server',
      params: {
        realm_counts: rows,
        installation_counts: rows,
        realmauditlog_rows: rows.optional(),
        realms: z.array(AnnouncedRealm).max(10_000).optional(),
        version: ServerVersion.optional(),
        merge_base: z.string().max(200).optional(),
        api_feature_level: z.int().optional(),
      },
      result: { realms: z.record(z.string(), RealmPushStatus) },
      errors: ['REMOTE_REALM_SERVER_MISMATCH_ERROR', 'PUSH_NOTIFICATIONS_DISALLOWED'],
    }),
  },
  push: {
    register: endpoint('POST /push/e2ee/register', {
      summary: 'Register a device with its encrypted registration',
      description:
        'A chat server of level 468 or later sends token_id, one of the specification push_account_id: one of them is required. A request that comes too early is answered with 503, not with 429: public chat servers ask again only after 5xx.',
      access: 'server',
      params: {
        realm_uuid: OrgId,
        push_account_id: PushAccountId.optional(),
        token_id: TokenId.optional(),
        encrypted_push_registration: z
          .string()
          .max(MAX_SEALED_REGISTRATION_LENGTH)
          .meta({ contains: PushRegistration }),
        bouncer_public_key: PublicKey.max(MAX_BOUNCER_KEY_LENGTH),
        // An extension of the public bouncer's API: the kind of token that the phone named to its
        // chat server.
        token_kind: TokenKind.optional(),
      },
      result: {
        // Public bouncers have none in the answer to a token_id.
        device_id: z.int().optional().meta({ example: 7 }),
        // Not in the public bouncer's answers, from here on.
        token_kind: TokenKind.optional(),
        same_token_device_ids: z
          .array(z.int())
          .default([])
          .meta({ description: 'The other devices of the realm with this token' }),
      },
      errors: [
        'MISSING_REMOTE_REALM',
        'REMOTE_REALM_SERVER_MISMATCH_ERROR',
        'INVALID_BOUNCER_PUBLIC_KEY',
        'REQUEST_EXPIRED',
      ],
    }),
    notify: endpoint('POST /push/e2ee/notify', {
      summary: 'Send encrypted notifications to devices',
      description:
        'An item names its device by token_id and its key by push_key_id, from level 468 on, or by device_id and push_account_id. The answer lists what no longer exists as the items name it. A request that comes too early is answered with 503, not with 429.',
      access: 'server',
      body: 'json',
      hasIdempotencyKey: true,
      params: { realm_uuid: OrgId, push_requests: z.array(PushItem).max(MAX_PUSH_REQUESTS) },
      result: {
        apple_successfully_sent_count: z.int(),
        android_successfully_sent_count: z.int(),
        // Not in the public bouncer's answers.
        web_successfully_sent_count: z.int().default(0),
        delete_device_ids: z.array(z.int()),
        delete_token_ids: z.array(TokenId).default([]),
        // Not in the public bouncer's answers.
        outcomes: z
          .array(PushOutcome)
          .default([])
          .meta({ description: 'One for each of push_requests, in their order' }),
        realm_push_status: RealmPushStatus,
      },
      errors: [
        'MISSING_REMOTE_REALM',
        'REMOTE_REALM_SERVER_MISMATCH_ERROR',
        'PUSH_NOTIFICATIONS_DISALLOWED',
        'IDEMPOTENCY_KEY_IN_USE',
        'IDEMPOTENCY_KEY_REUSED',
      ],
    }),
    ...legacyPush,
  },
};
export type Bouncer = typeof bouncer;
