import { z } from 'zod';

import { openObject } from '../values/limits.ts';
import { ApnsOptions, fcmOptions, WebPushOptions } from './push-options.ts';
import { PushAccountIdInJson, PushPayload, type TokenKind } from './push.ts';

/** Characters of a payload, and of a whole item of `push_requests`, as JSON text. */
const MAX_PAYLOAD_LENGTH = 32_768;
const MAX_ITEM_LENGTH = 40_000;

/** Apple and Google accept 4096 bytes of payload. The bouncer says which notification is larger. */
const EncryptedData = z.string().max(16_384).meta({ contains: PushPayload });
const encrypted = { push_account_id: PushAccountIdInJson, encrypted_data: EncryptedData };

const ApnsPushRequest = openObject(
  {
    device_id: z.int(),
    http_headers: ApnsOptions,
    payload: openObject({ ...encrypted, aps: z.looseObject({}) }, MAX_PAYLOAD_LENGTH),
  },
  MAX_ITEM_LENGTH,
);
const FcmPushRequest = openObject(
  { device_id: z.int(), ...fcmOptions, payload: openObject(encrypted, MAX_PAYLOAD_LENGTH) },
  MAX_ITEM_LENGTH,
);

/** Not in the public bouncer's API. */
const WebPushRequest = openObject(
  {
    device_id: z.int(),
    webpush_headers: WebPushOptions,
    payload: openObject(encrypted, MAX_PAYLOAD_LENGTH),
  },
  MAX_ITEM_LENGTH,
);

/** A notification for one device, by the kind of its token. The keys of each kind differ. */
const pushRequests = {
  apns: ApnsPushRequest,
  fcm: FcmPushRequest,
  webpush: WebPushRequest,
} satisfies Record<TokenKind, z.ZodType>;
export type AskedPushRequests = { [K in TokenKind]: z.input<(typeof pushRequests)[K]> };
export type ParsedPushRequests = { [K in TokenKind]: z.output<(typeof pushRequests)[K]> };

export const PushRequest = z.union(Object.values(pushRequests)).meta({ id: 'PushRequest' });
export type PushRequest = z.output<typeof PushRequest>;

export const isPushRequestFor: {
  readonly [K in TokenKind]: (request: PushRequest) => request is ParsedPushRequests[K];
} = {
  apns: (request): request is ParsedPushRequests['apns'] => 'http_headers' in request,
  fcm: (request): request is ParsedPushRequests['fcm'] => 'fcm_priority' in request,
  webpush: (request): request is ParsedPushRequests['webpush'] => 'webpush_headers' in request,
};

/** An item of `push_requests` that is no PushRequest. */
export interface UnusablePushItem {
  /** Null if the item names none. */
  readonly device_id: number | null;
  /** The error, with the path of the field. */
  readonly problem: string;
}

/** An item of `push_requests`. An object that cannot be used fails alone, not its whole request. */
export const PushItem = z
  .union([PushRequest, openObject({}, MAX_ITEM_LENGTH).transform(unusable)])
  .meta({ 'x-fails-alone': true });
export type PushItem = z.output<typeof PushItem>;

export const isUnusable = (item: PushItem): item is UnusablePushItem => !('payload' in item);

function unusable(item: Readonly<Record<string, unknown>>): UnusablePushItem {
  const device = z.int().safeParse(item['device_id']);
  return { device_id: device.success ? device.data : null, problem: problemOf(item) };
}

function problemOf(item: object): string {
  const issue = schemaFor(item)?.safeParse(item).error?.issues[0];
  if (!issue)
    return 'an item needs http_headers (for APNs), fcm_priority (for FCM) or webpush_headers';
  return `${issue.path.join('.')}: ${issue.message}`;
}

function schemaFor(item: object) {
  if ('http_headers' in item) return pushRequests.apns;
  if ('webpush_headers' in item) return pushRequests.webpush;
  return 'fcm_priority' in item ? pushRequests.fcm : undefined;
}

/** The fields of a request that the bouncer does not know: `fcm_title`, `http_headers.apns_topic`. */
export function unknownFieldsOf(request: PushRequest): string[] {
  const { fcm, apns, webpush } = pushRequests;
  if (isPushRequestFor.fcm(request)) return unknownKeys(request, fcm.shape);
  const nested = isPushRequestFor.apns(request)
    ? { name: 'http_headers', value: request.http_headers, shape: apns.shape }
    : { name: 'webpush_headers', value: request.webpush_headers, shape: webpush.shape };
  const options =
    'http_headers' in nested.shape ? nested.shape.http_headers : webpush.shape.webpush_headers;
  return [
    ...unknownKeys(request, nested.shape),
    ...unknownKeys(nested.value, options.shape).map((key) => `${nested.name}.${key}`),
  ];
}

const unknownKeys = (value: object, shape: object) =>
  Object.keys(value).filter((key) => !Object.hasOwn(shape, key));
