import { expect, test } from 'vitest';

import { api } from '../api/api.ts';
import { bouncerV1 } from '../bouncer/bouncer-v1.ts';
import { bouncer } from '../bouncer/bouncer.ts';
import type { Contract } from './endpoint.ts';
import { errorExtra } from './error-extra.ts';
import { ApiError, badRequest, type ErrorCode, errors, generalErrors } from './errors.ts';

/** The status and the extra keys of every code, on which clients rely. */
const expected: Record<ErrorCode, [status: number, ...keys: string[]]> = {
  BAD_REQUEST: [400],
  REQUEST_VARIABLE_MISSING: [400, 'var_name'],
  REQUEST_CONFUSING_VAR: [400, 'var_name1', 'var_name2'],
  INVALID_JSON: [400],
  BAD_NARROW: [400, 'desc'],
  STREAM_DOES_NOT_EXIST: [400, 'stream', 'stream_id'],
  UNAUTHORIZED_PRINCIPAL: [400],
  BAD_EVENT_QUEUE_ID: [400, 'queue_id'],
  EXPECTATION_MISMATCH: [400, 'field_name'],
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: [
    400,
    'first_message_id_allowed_to_move',
    'total_messages_allowed_to_move',
    'total_messages_in_topic',
  ],
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: [400],
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: [400],
  BAD_IMAGE: [400],
  CANNOT_DEACTIVATE_LAST_USER: [400, 'entity', 'is_last_owner'],
  REALM_UPLOAD_QUOTA: [400],
  CANNOT_DEACTIVATE_GROUP_IN_USE: [400, 'objections'],
  SYSTEM_GROUP_REQUIRED: [400, 'setting_name'],
  INVITATION_FAILED: [
    400,
    'daily_limit_reached',
    'errors',
    'license_limit_reached',
    'sent_invitations',
  ],
  REACTION_ALREADY_EXISTS: [400],
  REACTION_DOES_NOT_EXIST: [400],
  INVALID_BOUNCER_PUBLIC_KEY: [400],
  REQUEST_EXPIRED: [400],
  PUSH_SERVICE_NOT_CONFIGURED: [400],
  PUSH_NOTIFICATIONS_DISALLOWED: [400],
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: [400],
  NO_ACTIVE_PUSH_DEVICE: [400],
  INVALID_ZULIP_SERVER: [400, 'role'],
  HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR: [400, 'hostname'],
  UNAUTHORIZED: [401],
  INVALID_API_KEY: [401],
  AUTHENTICATION_FAILED: [401],
  USER_DEACTIVATED: [401],
  REALM_DEACTIVATED: [401],
  PASSWORD_AUTH_DISABLED: [401],
  CSRF_FAILED: [403],
  ADMIN_ACTION_REQUIRED: [403],
  MISSING_REMOTE_REALM: [403],
  REMOTE_REALM_SERVER_MISMATCH_ERROR: [403],
  NOT_FOUND: [404],
  NONEXISTENT_SUBDOMAIN: [404],
  METHOD_NOT_ALLOWED: [405, 'allowed_methods'],
  CHANNEL_ALREADY_EXISTS: [409, 'channel_name'],
  IDEMPOTENCY_KEY_IN_USE: [409, 'retry-after'],
  IDEMPOTENCY_KEY_REUSED: [422],
  PAYLOAD_TOO_LARGE: [413],
  RATE_LIMIT_HIT: [429, 'retry-after'],
  INTERNAL_ERROR: [500],
  SERVICE_UNAVAILABLE: [503],
  FAILED_TO_CONNECT_BOUNCER: [502],
  INTERNAL_SERVER_ERROR_ON_BOUNCER: [502],
};

test.each(Object.entries(errors))('%s has its documented status and keys', (code, entry) => {
  const keys = Object.keys(errorExtra(code as ErrorCode)?.shape ?? {}).sort();
  expect([entry.status, ...keys]).toEqual(expected[code as ErrorCode]);
});

test('no endpoint lists a general error, or one error twice', () => {
  const contracts: Contract[] = [api, bouncer, bouncerV1];
  const endpoints = contracts.flatMap((contract) =>
    Object.values(contract).flatMap((resource) => Object.values(resource)),
  );
  for (const { route, errors: own } of endpoints) {
    expect(new Set(own).size, route).toBe(own.length);
    expect(
      own.filter((code) => (generalErrors as readonly ErrorCode[]).includes(code)),
      route,
    ).toEqual([]);
  }
});

test('an ApiError without a message has the text and status of the table', () => {
  expect(new ApiError('NOT_FOUND')).toMatchObject({ status: 404, message: 'Not found', data: {} });
  const draft = new ApiError('BAD_REQUEST', { message: 'Draft does not exist', status: 404 });
  expect(draft).toMatchObject({
    code: 'BAD_REQUEST',
    status: 404,
    message: 'Draft does not exist',
  });
  expect(badRequest('No', { var_name: 'x' })).toMatchObject({
    status: 400,
    data: { var_name: 'x' },
  });
});

test('extra keys of an error are optional only if the table says so', () => {
  expect(errorExtra('STREAM_DOES_NOT_EXIST')?.safeParse({ stream: 'x' }).success).toBe(true);
  expect(errorExtra('RATE_LIMIT_HIT')?.safeParse({}).success).toBe(false);
});
