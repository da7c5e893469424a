import { z } from 'zod';

import { openObject } from '../values/limits.ts';
import { ApnsOptions, fcmOptions, WebPushOptions } from './push-options.ts';
import { PushAccountIdInJson, PushKeyId, PushPayload, TokenId, type TokenKind } from './push.ts';

/** Characters of a payload, and of a whole item of `push_requests`, as JSON text. */
const MAX_PAYLOAD_LENGTH = 32_768;
const MAX_ITEM_LENGTH = 40_000;

/** Apple and Google accept 4096 bytes of payload. The bouncer says which notification is larger. */
const EncryptedData = z.string().max(16_384).meta({ contains: PushPayload });

/** The schemas of one generation: `target` names the device of an item, `key` what its payload is for. */
const requestsFor = <T extends z.ZodRawShape, K extends z.ZodRawShape>(target: T, key: K) => {
  const encrypted = { ...key, encrypted_data: EncryptedData };
  return {
    apns: openObject(
      {
        ...target,
        http_headers: ApnsOptions,
        payload: openObject({ ...encrypted, aps: z.looseObject({}) }, MAX_PAYLOAD_LENGTH),
      },
      MAX_ITEM_LENGTH,
    ),
    fcm: openObject(
      { ...target, ...fcmOptions, payload: openObject(encrypted, MAX_PAYLOAD_LENGTH) },
      MAX_ITEM_LENGTH,
    ),
    /** Not in the public bouncer's API. */
    webpush: openObject(
      {
        ...target,
        webpush_headers: WebPushOptions,
        payload: openObject(encrypted, MAX_PAYLOAD_LENGTH),
      },
      MAX_ITEM_LENGTH,
    ),
  };
};

const not = (beside: string) => z.never(`not beside ${beside}`).optional();
/** Of the level of the specification. */
const byDevice = requestsFor(
  { device_id: z.int(), token_id: not('device_id') },
  { push_account_id: PushAccountIdInJson, push_key_id: not('device_id') },
);
/** Of level 468 and later. */
const byToken = requestsFor(
  { token_id: TokenId, device_id: not('token_id') },
  { push_key_id: PushKeyId, push_account_id: not('token_id') },
);

/** The items of a chat server of the specification. */
export type AskedPushRequests = { [K in TokenKind]: z.input<(typeof byDevice)[K]> };
/** The items of a chat server of level 468 or later. */
export type AskedTokenRequests = { [K in TokenKind]: z.input<(typeof byToken)[K]> };
export type ParsedPushRequests = {
  [K in TokenKind]: z.output<(typeof byDevice)[K]> | z.output<(typeof byToken)[K]>;
};

/** A notification for one device: the keys of each kind of token differ. What is asked most comes first. */
export const PushRequest = z
  .union([
    byDevice.apns,
    byDevice.fcm,
    byToken.apns,
    byToken.fcm,
    byDevice.webpush,
    byToken.webpush,
  ])
  .meta({ id: 'PushRequest' });
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
  /** Of an item that names its device by it. */
  readonly token_id?: string | undefined;
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
  const { data: device_id = null } = z.int().safeParse(item['device_id']);
  const { data: token_id } = TokenId.safeParse(item['token_id']);
  return { device_id, token_id, problem: problemOf(item) };
}

function problemOf(item: object): string {
  const issue = schemaFor(item)?.safeParse(item).error?.issues[0];
  if (!issue)
    return 'an item needs http_headers (for APNs), fcm_priority (for FCM) or webpush_headers';
  return `${issue.path.join('.')}: ${issue.message}`;
}

function schemaFor(item: object) {
  const { apns, fcm, webpush } = schemasFor(item);
  if ('http_headers' in item) return apns;
  if ('webpush_headers' in item) return webpush;
  return 'fcm_priority' in item ? fcm : undefined;
}

const schemasFor = (item: object) => ('token_id' in item ? byToken : byDevice);

/** The fields of a request that the bouncer does not know: `fcm_title`, `http_headers.apns_topic`. */
export function unknownFieldsOf(request: PushRequest): string[] {
  const { fcm, apns, webpush } = schemasFor(request);
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
