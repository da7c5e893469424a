import { z } from 'zod';

import { BouncerTrace, MAX_TRACED_CIPHERS } from '../bouncer/bouncer-traces.ts';
import { CipherId } from '../push/push-traces.ts';
import { PushGeneration, PushKeyId, PushPayload, TokenKind } from '../push/push.ts';
import { MAX_WORD_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { ProviderRequest } from './provider-request.ts';
import { PushArrival } from './push-arrival.ts';

/** The path of the simulated parts of a sandbox. */
export const SANDBOX_PREFIX = '/console/sandbox';
/**
 * The path at which a sandbox passes calls of its administrators to the operator API of its
 * bouncer.
 */
export const SANDBOX_OPERATOR_PREFIX = `${SANDBOX_PREFIX}/operator`;
/** Phones of one user, and notifications of one phone that the sandbox shows. */
export const MAX_SANDBOX_PHONES = 20;
export const MAX_PHONE_INBOX = 200;

/** The name of a simulated phone. */
export const PhoneName = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[^/\p{Cc}\p{Cf}]+$/u, 'must have no slashes and no control characters')
  .meta({ description: 'Names the phone' });
const name = PhoneName;
const appId = z
  .string()
  .max(MAX_WORD_LENGTH)
  .regex(/^[\w.-]+$/, 'must be letters, digits, dots, dashes and underscores');
const ms = z.int().meta({ description: 'UNIX milliseconds' });

const accountId = z
  .string()
  .nullable()
  .meta({ description: 'Of the generation `account`, in decimal digits' });
const keyId = PushKeyId.nullable().meta({ description: 'Of the generation `device`' });

/** An event of a phone. */
export const PhoneEvent = z
  .object({
    ms,
    kind: z.enum([
      'installed',
      'registered',
      'refused',
      'rotated',
      'offline',
      'online',
      'uninstalled',
    ]),
    detail: z.string(),
  })
  .meta({ id: 'PhoneEvent' });
export type PhoneEvent = z.output<typeof PhoneEvent>;

/** A notification on a simulated phone, with the ciphertext. */
export const SandboxArrival = PushArrival.extend({
  cipher_id: CipherId.nullable(),
  encrypted_data: z.string(),
}).meta({ id: 'SandboxArrival' });
export type SandboxArrival = z.output<typeof SandboxArrival>;

export const SandboxPhone = z
  .object({
    name,
    token_kind: TokenKind,
    app_id: z.string(),
    push_account_id: accountId,
    device_id: z.int().nullable().meta({ description: 'Of the generation `device`' }),
    key_fingerprint: z.string().nullable().meta({
      description: 'Of the generation `account`, as in the traces of the chat server',
    }),
    push_key_id: keyId,
    is_online: z.boolean(),
    is_installed: z.boolean(),
    history: z.array(PhoneEvent).meta({ description: 'The oldest first' }),
    inbox: z.array(SandboxArrival).meta({ description: 'The oldest first' }),
    remembers_ms: ms.meta({
      description: 'UNIX milliseconds since when all arrivals are in the inbox',
    }),
  })
  .meta({ id: 'SandboxPhone' });
export type SandboxPhone = z.output<typeof SandboxPhone>;

/**
 * A notification with the key that decrypts it, in the form of the vectors of `push-crypto`, by which
 * programs for phones are tested.
 */
export const PushVectors = z
  .object({
    push_account_id: accountId,
    push_public_key: z.string().nullable(),
    push_key_id: keyId,
    secret_key: z.string().meta({ description: 'Of the generation `device`: the push_key' }),
    vectors: z.array(
      z.object({
        name: z.string(),
        received: z.union([z.string(), z.record(z.string(), z.unknown())]).meta({
          description: 'FCM: the data. APNs and Web Push: the text of the body',
        }),
        payload: PushPayload.nullable(),
        refused: z.string().nullable().meta({ description: 'Why the phone cannot use it' }),
      }),
    ),
  })
  .meta({ id: 'PushVectors' });
export type PushVectors = z.output<typeof PushVectors>;

const FaultProvider = z.enum(['apns', 'fcm', 'oauth', 'webpush']);
const word = z.string().min(1).max(MAX_WORD_LENGTH);
const count = z.int().min(1).max(1_000);
/** A switched-on fault of a simulated provider. */
export const SandboxFault = z
  .object({
    fault_id: z.int(),
    provider: FaultProvider,
    fault: z.string().meta({ description: 'What the provider does instead of its work' }),
    phone: z.string().nullable().meta({ description: 'Null: it strikes every phone' }),
    left: z.int().nullable().meta({ description: 'Requests that it will strike; null: all' }),
    probability: z.number().meta({ description: 'The share of these requests' }),
  })
  .meta({ id: 'SandboxFault' });
export type SandboxFault = z.output<typeof SandboxFault>;
const FaultGroup = z.enum([
  'busy',
  'phone',
  'credentials',
  'request',
  'answer',
  'connection',
  'time',
]);
export type FaultGroup = z.output<typeof FaultGroup>;
export const FaultKindChoice = z
  .object({
    kind: z.string(),
    group: FaultGroup.meta({ description: 'The subject of the fault' }),
    providers: z.array(FaultProvider),
    parameters: z.array(z.enum(['reason', 'retry_after', 'ms', 'timestamp'])),
    explanation: z.string(),
  })
  .meta({ id: 'FaultKindChoice' });
export type FaultKindChoice = z.output<typeof FaultKindChoice>;

/**
 * The operations of a sandbox only: simulated phones of the caller, and the simulated providers
 * with their faults. Paths are relative to `/console/sandbox`.
 */
export const sandbox = {
  about: {
    get: endpoint('GET /about', {
      summary: 'Whether this server is part of a sandbox',
      access: 'anyone',
      result: {
        is_sandbox: z.boolean(),
        sends_mails: z
          .boolean()
          .meta({ description: 'Whether the server hands mails on, not only into its outbox' }),
      },
    }),
  },
  phones: {
    list: endpoint('GET /phones', {
      summary: 'List your simulated phones with what they received, decrypted',
      access: 'human',
      result: { phones: z.array(SandboxPhone) },
    }),
    changes: endpoint('GET /changes', {
      summary: 'Wait until something has changed at phones, providers or faults',
      access: 'human',
      params: {
        after: z.int().min(0).default(0).meta({ description: 'The `version` of the last answer' }),
        wait: z.int().min(0).max(50).default(0).meta({ description: 'Seconds, at most' }),
      },
      result: { version: z.int() },
    }),
    add: endpoint('POST /phones', {
      summary: 'Install the app on a new phone and register it',
      access: 'human',
      steps: true,
      params: {
        token_kind: TokenKind,
        name: name.optional(),
        generation: PushGeneration.default('account'),
        app_id: appId.optional().meta({
          description: 'Another app than that of the sandbox; an Android phone names it then',
        }),
      },
      result: { phone: SandboxPhone },
      errors: ['BAD_REQUEST'],
    }),
    setOnline: endpoint('PATCH /phones/{name}', {
      summary: 'Take a phone offline or online',
      access: 'human',
      steps: true,
      params: { name, online: z.boolean() },
      errors: ['NOT_FOUND', 'BAD_REQUEST'],
    }),
    rotate: endpoint('POST /phones/{name}/rotate', {
      summary:
        'Give a phone a new key, and a new account number if it has one, and register it again',
      access: 'human',
      steps: true,
      params: {
        name,
        new_token: z.boolean().default(false).meta({
          description: 'Get a new token from the provider too, as after a restored backup',
        }),
      },
      errors: ['NOT_FOUND', 'BAD_REQUEST'],
    }),
    uninstall: endpoint('POST /phones/{name}/uninstall', {
      summary: 'Remove the app from a phone; the provider calls its token dead from then on',
      access: 'human',
      steps: true,
      params: { name },
      errors: ['NOT_FOUND', 'BAD_REQUEST'],
    }),
    vectors: endpoint('GET /phones/{name}/vectors/{cipher_id}', {
      summary:
        'Get a notification that a phone received, with the key of the phone, as a test vector',
      access: 'human',
      params: { name, cipher_id: CipherId },
      result: PushVectors.shape,
      errors: ['NOT_FOUND'],
    }),
    remove: endpoint('DELETE /phones/{name}', {
      summary: 'Forget a phone, and end its registration',
      access: 'human',
      steps: true,
      params: { name },
      errors: ['NOT_FOUND'],
    }),
  },
  traces: {
    list: endpoint('GET /traces', {
      summary: 'Read what bouncer and providers did for notifications',
      access: 'human',
      params: { cipher_ids: z.array(CipherId).min(1).max(MAX_TRACED_CIPHERS) },
      result: { bouncer: z.array(BouncerTrace), requests: z.array(ProviderRequest) },
    }),
  },
  faults: {
    list: endpoint('GET /faults', {
      summary: 'List the faults that are switched on, and every kind of fault',
      access: 'human',
      result: { faults: z.array(SandboxFault), kinds: z.array(FaultKindChoice) },
    }),
    add: endpoint('POST /faults', {
      summary: 'Switch a fault of a provider on',
      access: 'human',
      steps: true,
      params: {
        provider: FaultProvider,
        kind: word.meta({ description: 'A kind of the list, or an HTTP status from 400 to 599' }),
        phone: name.optional().meta({ description: 'Only for this phone of yours' }),
        times: count.optional().meta({ description: 'Only for so many requests' }),
        probability: z.number().gt(0).max(1).optional(),
        reason: word.optional(),
        retry_after: z.int().min(0).max(86_400).optional().meta({ description: 'Seconds' }),
        ms: z.int().min(0).max(600_000).optional(),
      },
      result: { fault_id: z.int() },
      errors: ['BAD_REQUEST', 'NOT_FOUND'],
    }),
    clear: endpoint('DELETE /faults/{fault_id}', {
      summary: 'Switch one fault off',
      access: 'human',
      steps: true,
      params: { fault_id: z.int() },
      errors: ['NOT_FOUND'],
    }),
    clearAll: endpoint('DELETE /faults', {
      summary: 'Switch all faults off',
      access: 'human',
      steps: true,
    }),
  },
};
export type SandboxContract = typeof sandbox;
