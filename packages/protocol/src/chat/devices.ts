import { z } from 'zod';

import { BouncerTrace, MAX_TRACED_CIPHERS } from '../bouncer/bouncer-traces.ts';
import {
  CipherId,
  MAX_PUSH_TRACES,
  mergePushTraces,
  PUSH_TRACE_LIFETIME,
  PushTrace,
  PushTraceEvent,
} from '../push/push-traces.ts';
import {
  MAX_BOUNCER_KEY_LENGTH,
  MAX_SEALED_REGISTRATION_LENGTH,
  PushAccountId,
  PushKey,
  PushKeyId,
  PushPayload,
  PushRegistration,
  TokenId,
  TokenKind,
} from '../push/push.ts';
import { PublicKey, Secret, Timestamp } from '../values/fields.ts';
import { MessageId } from '../values/ids.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section } from '../wire/resource.ts';
import { changed } from './changed.ts';
import { RealmEvent } from './realms/realm-events.ts';

const DeviceKey = PublicKey.length(44)
  .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
  .meta({ description: 'X25519 public key, 32 bytes, base64 (RFC 4648)', encrypts: PushPayload });

/** Why the bouncer rejected a registration. */
export const PushDeviceError = z.enum([
  'INVALID_BOUNCER_PUBLIC_KEY',
  'REQUEST_EXPIRED',
  'BAD_REQUEST',
]);
/** Not in the public API: only for clients with the capability `push_device_error_message`. */
const ErrorMessage = z.string().optional().meta({
  description:
    'Only with the capability `push_device_error_message`: why, in words for a person: what is wrong and what to do. No secrets',
});

/**
 * The bouncer accepted or rejected a device, or the provider reported its token as dead: the device is
 * failed with REQUEST_EXPIRED then, and may register again. `push_account_id` is a decimal string here.
 */
export const PushDeviceEvent = z.discriminatedUnion('status', [
  z.object({
    type: z.literal('push_device'),
    push_account_id: z.string(),
    status: z.literal('active'),
  }),
  z.object({
    type: z.literal('push_device'),
    push_account_id: z.string(),
    status: z.literal('failed'),
    error_code: PushDeviceError,
    error_message: ErrorMessage,
  }),
]);
export const PushDeviceState = z.object({
  status: z.enum(['pending', 'active', 'failed']),
  error_code: PushDeviceError.nullable(),
  error_message: ErrorMessage,
});

interface DeviceState {
  readonly push_devices?: Record<string, z.output<typeof PushDeviceState>> | undefined;
}

/** A device's registration succeeded, failed or ended. */
const applyPushDevice = (
  state: DeviceState,
  event: z.output<typeof PushDeviceEvent>,
): DeviceState =>
  changed(state, 'push_devices', (devices) => ({
    ...devices,
    [event.push_account_id]: deviceStateAfter(event),
  }));

function deviceStateAfter(
  event: z.output<typeof PushDeviceEvent>,
): z.output<typeof PushDeviceState> {
  if (event.status === 'active') return { status: 'active', error_code: null };
  const { status, error_code, error_message } = event;
  return { status, error_code, ...(error_message === undefined ? {} : { error_message }) };
}

const clientDevice = {
  push_key_id: PushKeyId.nullable().meta({
    description: 'Of the key that pushes are encrypted with',
  }),
  push_token_id: TokenId.nullable().meta({ description: 'Of the token that pushes are sent to' }),
  pending_push_token_id: TokenId.nullable().meta({
    description: 'Of a token that the bouncer has not accepted, or has refused',
  }),
  push_token_last_updated_timestamp: Timestamp.nullable(),
  push_registration_error_code: PushDeviceError.nullable().meta({
    description: 'Why the bouncer refused the pending token',
  }),
  error_message: ErrorMessage,
};
/** A device of level 468 and later, as the initial state has it. */
export const ClientDevice = z.object(clientDevice);
export type ClientDevice = z.output<typeof ClientDevice>;

/** A device in the words of the other generation; `no_token`: it has none, or the provider called it dead. */
export function clientDeviceStatus(device: ClientDevice): {
  readonly status: z.output<typeof PushDeviceState>['status'] | 'no_token';
  readonly error_code: z.output<typeof PushDeviceError> | null;
  readonly error_message?: string | undefined;
} {
  const { push_registration_error_code: error_code, error_message } = device;
  if (error_code !== null) return { status: 'failed', error_code, error_message };
  if (device.pending_push_token_id !== null) return { status: 'pending', error_code };
  return { status: device.push_token_id === null ? 'no_token' : 'active', error_code };
}

/** A device of yours of level 468 and later was added, changed or removed. */
export const ClientDeviceEvent = z.discriminatedUnion('op', [
  z.object({ type: z.literal('device'), op: z.literal('add'), device_id: z.int() }),
  z
    .object({ type: z.literal('device'), op: z.literal('update'), device_id: z.int() })
    .extend(ClientDevice.partial().shape)
    .meta({ description: 'Only what changed: null is a value, an absent key has not changed' }),
  z.object({ type: z.literal('device'), op: z.literal('remove'), device_id: z.int() }),
]);
export type ClientDeviceEvent = z.output<typeof ClientDeviceEvent>;

const NEW_DEVICE: ClientDevice = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

interface ClientDevices {
  readonly devices?: Record<string, ClientDevice> | undefined;
}

const applyClientDevice = (state: ClientDevices, event: ClientDeviceEvent): ClientDevices =>
  changed(state, 'devices', (devices) => {
    const { [event.device_id]: known, ...others } = devices;
    if (event.op === 'remove') return others;
    if (event.op === 'add') return { ...devices, [event.device_id]: NEW_DEVICE };
    if (!known) return devices;
    const device = { ...known };
    // A reason in words belongs to the error of the same event.
    if (event.push_registration_error_code !== undefined) delete device.error_message;
    const changes = names.flatMap((name) =>
      event[name] === undefined ? [] : [[name, event[name]]],
    );
    return { ...devices, [event.device_id]: { ...device, ...Object.fromEntries(changes) } };
  });
const names = Object.keys(clientDevice) as (keyof typeof clientDevice)[];

/** What a registration by device_id has, each all or not at all. */
const halves = [
  ['push_key_id', 'push_key'],
  ['token_kind', 'token_id', 'bouncer_public_key', 'encrypted_push_registration'],
] as const;
/** The parameters of a registration that have no use beside the others, as at public servers. */
const unusedOf = (params: Readonly<Record<string, unknown>>) =>
  params['device_id'] === undefined
    ? (['push_key_id', 'push_key', 'token_id'] as const)
    : [
        'push_public_key' as const,
        ...halves.filter((half) => half.some((name) => params[name] === undefined)).flat(),
      ];

const ofAccounts = 'Levels 406 to 467; not with a device_id';
const ofDevices = 'Level 468 and later, with a device_id';

const endpoints = {
  hostProof: endpoint('GET /zulip-services/verify/{access_token}', {
    summary: 'Prove to the push bouncer that this host is yours',
    description:
      'The bouncer calls it while this server asks for the registration of its host name.',
    access: 'anyone',
    params: { access_token: Secret.min(1).max(1_000) },
    result: { verification_secret: z.string() },
    errors: ['NOT_FOUND'],
  }),

  registerPush: endpoint('POST /mobile_push/register', {
    summary: 'Register a device for end-to-end encrypted push',
    description:
      'The response does not wait for the bouncer: an event says whether it accepted the registration. By push_account_id all of token_kind, push_account_id, push_public_key, bouncer_public_key and encrypted_push_registration are required, and the event is push_device. By device_id the key (push_key_id, push_key), the token (token_kind, token_id, bouncer_public_key, encrypted_push_registration) or both are; the first time both; and the events are those of the device. A success names what it does not use, as half a key beside a token, in ignored_parameters_unsupported.',
    since: 406,
    access: 'human',
    locks: 'realm',
    params: {
      token_kind: TokenKind.optional(),
      push_account_id: PushAccountId.optional().meta({ description: ofAccounts }),
      push_public_key: DeviceKey.optional().meta({ description: ofAccounts }),
      bouncer_public_key: PublicKey.min(1).max(MAX_BOUNCER_KEY_LENGTH).optional(),
      encrypted_push_registration: z
        .string()
        .min(1)
        .max(MAX_SEALED_REGISTRATION_LENGTH)
        .meta({ contains: PushRegistration })
        .optional(),
      device_id: z.int().optional().meta({
        description: 'Level 468 and later: which of your devices, by register_client_device',
      }),
      push_key_id: PushKeyId.optional().meta({ description: ofDevices }),
      push_key: PushKey.optional().meta({ description: ofDevices }),
      token_id: TokenId.optional().meta({ description: ofDevices }),
    },
    unused: unusedOf,
    errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
    emits: [ClientDeviceEvent],
  }),

  registerClientDevice: endpoint('POST /register_client_device', {
    summary: 'Add a device of yours',
    description:
      'Call it once for each login and keep the ID: register the device for push with it.',
    since: 468,
    access: 'human',
    locks: 'realm',
    result: { device_id: z.int() },
    emits: [ClientDeviceEvent],
  }),

  removeClientDevice: endpoint('POST /remove_client_device', {
    summary: 'Remove a device of yours, when it logs out',
    description: 'Nothing is pushed to it any more.',
    since: 470,
    access: 'human',
    locks: 'realm',
    params: { device_id: z.int() },
    emits: [ClientDeviceEvent],
  }),

  unregisterPush: endpoint('POST /mobile_push/unregister', {
    summary: 'End the registration of a device',
    description:
      'Not in the public API. Nothing is pushed to the device until it registers again; a push_device event tells your clients.',
    since: 420,
    access: 'human',
    params: { push_account_id: PushAccountId },
    errors: ['NO_ACTIVE_PUSH_DEVICE'],
    emits: [PushDeviceEvent],
  }),

  testNotification: endpoint('POST /mobile_push/e2ee/test_notification', {
    summary: 'Send an encrypted test notification to your devices',
    since: 420,
    access: 'human',
    steps: true,
    params: {
      push_account_id: PushAccountId.optional(),
      device_id: z.int().optional().meta({ description: 'Level 468 and later' }),
    },
    errors: [
      'PUSH_SERVICE_NOT_CONFIGURED',
      'NO_ACTIVE_PUSH_DEVICE',
      'ADMIN_ACTION_REQUIRED',
      'FAILED_TO_CONNECT_BOUNCER',
      'INTERNAL_SERVER_ERROR_ON_BOUNCER',
    ],
    // What the bouncer answers about the devices and the realm.
    emits: [PushDeviceEvent, ClientDeviceEvent, PushTraceEvent, RealmEvent],
  }),

  traces: endpoint('GET /mobile_push/traces', {
    summary: 'Read what became of the pushes to your devices',
    description: `Not in the public API. The newest first; kept for ${PUSH_TRACE_LIFETIME / 86_400} days, ${MAX_PUSH_TRACES} of each user. Nobody else can read them. Read on from next_cursor.`,
    since: 420,
    access: 'human',
    params: {
      cursor: z
        .int()
        .positive()
        .optional()
        .meta({ description: 'The next_cursor of the last page' }),
      limit: z.int().min(1).max(100).default(50),
      push_account_id: PushAccountId.optional().meta({ description: 'Only of this device' }),
      device_id: z.int().optional().meta({ description: 'Only of this device' }),
      message_id: MessageId.optional().meta({ description: 'Only the pushes of this message' }),
      cipher_id: CipherId.optional(),
    },
    result: {
      traces: z.array(PushTrace),
      next_cursor: z.int().nullable().meta({ description: 'Null: there are no older ones' }),
    },
  }),

  bouncerTraces: endpoint('GET /mobile_push/traces/bouncer', {
    summary: 'Read what the push bouncer did with pushes to your devices',
    description:
      'Not in the public API. The bouncer tells it the chat server, which passes it on. The pushes of others are left out.',
    since: 420,
    access: 'admin',
    params: { cipher_ids: z.array(CipherId).min(1).max(MAX_TRACED_CIPHERS) },
    result: { traces: z.array(BouncerTrace) },
    errors: [
      'PUSH_SERVICE_NOT_CONFIGURED',
      'ADMIN_ACTION_REQUIRED',
      'FAILED_TO_CONNECT_BOUNCER',
      'INTERNAL_SERVER_ERROR_ON_BOUNCER',
    ],
  }),
};

export const devices = resource({
  endpoints,
  events: [
    event(PushDeviceEvent, applyPushDevice),
    event(ClientDeviceEvent, applyClientDevice),
    event(PushTraceEvent, 'changes no state', mergePushTraces),
  ],
  state: {
    push_device: section({ push_devices: z.record(z.string(), PushDeviceState) }),
    device: section({
      devices: z.record(z.string(), ClientDevice).meta({ description: 'By device_id' }),
    }),
  },
});
