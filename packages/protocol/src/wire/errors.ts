import type { z as zod } from 'zod';

import type { GroupObjection } from './group-objection.ts';

interface Schemas {
  readonly GroupObjection: typeof GroupObjection;
}

interface ErrorEntry {
  readonly status: number;
  readonly text: string;
  /** A function, so that a program that only throws and catches errors loads no schemas. */
  readonly extra?: (z: typeof zod, schemas: Schemas) => zod.ZodRawShape;
}

/**
 * Every error code of the API with its HTTP status, default message and extra keys (spec, Errors).
 * Code, status and keys are the contract; a single error may have another message.
 */
export const errors = {
  BAD_REQUEST: { status: 400, text: 'Invalid request' },
  REQUEST_VARIABLE_MISSING: {
    status: 400,
    text: 'A required parameter is missing',
    extra: (z) => ({ var_name: z.string() }),
  },
  REQUEST_CONFUSING_VAR: {
    status: 400,
    text: 'A parameter was sent under two names',
    extra: (z) => ({ var_name1: z.string(), var_name2: z.string() }),
  },
  INVALID_JSON: { status: 400, text: 'Malformed JSON' },
  BAD_NARROW: { status: 400, text: 'Invalid narrow', extra: (z) => ({ desc: z.string() }) },
  STREAM_DOES_NOT_EXIST: {
    status: 400,
    text: 'Channel does not exist',
    extra: (z) => ({ stream: z.string().optional(), stream_id: z.int().optional() }),
  },
  UNAUTHORIZED_PRINCIPAL: { status: 400, text: 'Your role does not allow this' },
  BAD_EVENT_QUEUE_ID: {
    status: 400,
    text: 'Bad event queue ID',
    extra: (z) => ({ queue_id: z.string() }),
  },
  EXPECTATION_MISMATCH: {
    status: 400,
    text: 'The content has changed since you read it; fetch it again',
    extra: (z) => ({ field_name: z.string() }),
  },
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    status: 400,
    text: 'Some messages of this topic are too old for you to move',
    extra: (z) => ({
      first_message_id_allowed_to_move: z.int(),
      total_messages_in_topic: z.int(),
      total_messages_allowed_to_move: z.int(),
    }),
  },
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: {
    status: 400,
    text: 'You do not have permission to use channel wildcard mentions in this channel.',
  },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: {
    status: 400,
    text: 'You do not have permission to use topic wildcard mentions in this topic.',
  },
  BAD_IMAGE: { status: 400, text: 'This file is not a PNG, JPEG, GIF or WebP image.' },
  REALM_UPLOAD_QUOTA: {
    status: 400,
    text: "Upload would exceed your organization's upload quota.",
  },
  CANNOT_DEACTIVATE_LAST_USER: {
    status: 400,
    text: 'Cannot deactivate the only organization owner.',
    extra: (z) => ({ is_last_owner: z.boolean(), entity: z.string() }),
  },
  CANNOT_DEACTIVATE_GROUP_IN_USE: {
    status: 400,
    text: 'Cannot deactivate a user group that is in use.',
    extra: (z, { GroupObjection }) => ({ objections: z.array(GroupObjection) }),
  },
  SYSTEM_GROUP_REQUIRED: {
    status: 400,
    text: 'This setting accepts only system user groups',
    extra: (z) => ({ setting_name: z.string() }),
  },
  INVITATION_FAILED: {
    status: 400,
    text: 'Not everybody could be invited',
    extra: (z) => ({
      /** Address, reason, and whether the address belongs to a deactivated account. */
      errors: z.array(z.tuple([z.string(), z.string(), z.boolean()])),
      sent_invitations: z.boolean(),
      daily_limit_reached: z.boolean(),
      license_limit_reached: z.boolean(),
    }),
  },
  REACTION_ALREADY_EXISTS: { status: 400, text: 'Reaction already exists' },
  REACTION_DOES_NOT_EXIST: { status: 400, text: 'Reaction does not exist' },
  INVALID_BOUNCER_PUBLIC_KEY: { status: 400, text: 'The bouncer does not know this public key' },
  REQUEST_EXPIRED: { status: 400, text: 'The push registration is too old; create a new one' },
  PUSH_SERVICE_NOT_CONFIGURED: {
    status: 400,
    text: 'This server is not set up to use a push notification service',
  },
  PUSH_NOTIFICATIONS_DISALLOWED: {
    status: 400,
    text: 'This organization may not send push notifications',
  },
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: {
    status: 400,
    text: 'Device not recognized by the push bouncer',
  },
  NO_ACTIVE_PUSH_DEVICE: { status: 400, text: 'No active registered push device' },
  INVALID_ZULIP_SERVER: {
    status: 400,
    text: 'This server is not registered',
    extra: (z) => ({ role: z.string() }),
  },
  HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR: {
    status: 400,
    text: 'A server with this host name is already registered',
    extra: (z) => ({ hostname: z.string() }),
  },
  UNAUTHORIZED: { status: 401, text: 'Not logged in: API authentication or user session required' },
  INVALID_API_KEY: { status: 401, text: 'Invalid API key' },
  AUTHENTICATION_FAILED: { status: 401, text: 'Your username or password is incorrect' },
  USER_DEACTIVATED: { status: 401, text: 'Your account has been deactivated' },
  REALM_DEACTIVATED: { status: 401, text: 'This organization has been deactivated' },
  PASSWORD_AUTH_DISABLED: { status: 401, text: 'Password authentication is disabled' },
  CSRF_FAILED: {
    status: 403,
    text: 'Pages of other web sites may change nothing here',
  },
  ADMIN_ACTION_REQUIRED: {
    status: 403,
    text: 'Push notifications need the attention of the server administrator: contact them, or retry later',
  },
  MISSING_REMOTE_REALM: { status: 403, text: 'The organization is not registered' },
  REMOTE_REALM_SERVER_MISMATCH_ERROR: {
    status: 403,
    text: 'The organization is registered to another server',
  },
  NOT_FOUND: { status: 404, text: 'Not found' },
  NONEXISTENT_SUBDOMAIN: { status: 404, text: 'There is no organization at this address' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    text: 'Method not allowed',
    extra: (z) => ({ allowed_methods: z.array(z.string()) }),
  },
  CHANNEL_ALREADY_EXISTS: {
    status: 409,
    text: 'A channel with this name already exists',
    extra: (z) => ({ channel_name: z.string() }),
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    text: 'A request with this Idempotency-Key is still running; send it again in a few seconds',
    extra: (z) => ({ 'retry-after': z.number() }),
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    text: 'This Idempotency-Key was sent with another request; choose a new key',
  },
  PAYLOAD_TOO_LARGE: { status: 413, text: 'The request is too large' },
  RATE_LIMIT_HIT: {
    status: 429,
    text: 'API usage exceeded rate limit',
    extra: (z) => ({ 'retry-after': z.number() }),
  },
  INTERNAL_ERROR: { status: 500, text: 'Internal server error' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    text: 'The server cannot reach its database or is too busy; nothing was changed. Try again in a few seconds.',
  },
  FAILED_TO_CONNECT_BOUNCER: {
    status: 502,
    text: 'Network error while connecting to the push notification service',
  },
  INTERNAL_SERVER_ERROR_ON_BOUNCER: {
    status: 502,
    text: 'The push notification service failed; retry later',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errors;

/** Errors that every endpoint may return. An endpoint lists only its own in addition. */
export const generalErrors = [
  'BAD_REQUEST',
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_CONFUSING_VAR',
  'INVALID_JSON',
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'UNAUTHORIZED_PRINCIPAL',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
  'CSRF_FAILED',
  'NONEXISTENT_SUBDOMAIN',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMIT_HIT',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];
export type GeneralErrorCode = (typeof generalErrors)[number];

export interface ApiErrorOptions {
  /** The text for people. Default: the text of the table. */
  readonly message?: string;
  /** Keys sent beside `result`, `msg` and `code`. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** The HTTP status, if it differs from the table: a missing draft is BAD_REQUEST with 404. */
  readonly status?: number;
  readonly cause?: unknown;
}

/** An error of the API: thrown by handlers, sent by the server, thrown again by the client. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? errors[code].text, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? errors[code].status;
    this.data = options.data ?? {};
  }
}

/** An error with the code BAD_REQUEST and this message. */
export const badRequest = (message: string, data?: Readonly<Record<string, unknown>>): ApiError =>
  new ApiError('BAD_REQUEST', data ? { message, data } : { message });

/** REQUEST_VARIABLE_MISSING for a parameter; `hint` says when it is needed, if not always. */
export const missingParameter = (name: string, hint = ''): ApiError =>
  new ApiError('REQUEST_VARIABLE_MISSING', {
    message: `Missing '${name}' argument${hint}`,
    data: { var_name: name },
  });
