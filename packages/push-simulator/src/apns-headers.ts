import { randomUUID } from 'node:crypto';

import { ApnsRefusal } from './apns-reasons.ts';

const pushTypes = new Set([
  'alert',
  'background',
  'location',
  'voip',
  'complication',
  'fileprovider',
  'mdm',
  'liveactivity',
  'pushtotalk',
  'widgets',
  'controls',
]);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const topicSuffix =
  /\.(voip|voip-ptt|complication|pushkit\.fileprovider|location-query|push-type\.(liveactivity|widgets|controls))$/;
const singleHeaders = new Set([
  'authorization',
  'apns-id',
  'apns-topic',
  'apns-push-type',
  'apns-priority',
  'apns-expiration',
  'apns-collapse-id',
]);

/** The checked `apns-` headers of one request. */
export interface ApnsHeaders {
  apns_id: string;
  topic: string;
  /** The topic without a suffix such as `.voip`. */
  bundle_id: string;
  push_type: string;
  priority: number;
  collapse_id: string | null;
  /** Unix time in milliseconds; 0 = try once; undefined = for a time that Apple chooses. */
  expires_at: number | undefined;
}

type HeaderValues = Record<string, string | string[] | undefined>;

/** The `apns-id` of the answer: that of the request, or a new one if it is missing or malformed. */
export function apnsIdOf(headers: HeaderValues): string {
  const given = headers['apns-id'];
  return typeof given === 'string' && uuid.test(given) ? given : randomUUID().toUpperCase();
}

/** Throws `DuplicateHeaders` if a header occurs twice that may occur once. */
export function refuseDuplicates(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (singleHeaders.has(name) && seen.has(name)) throw new ApnsRefusal('DuplicateHeaders');
    seen.add(name);
  }
}

/** Reads the headers. Throws the `ApnsRefusal` for the first invalid one. */
export function readApnsHeaders(headers: HeaderValues): ApnsHeaders {
  const apnsId = firstValue(headers['apns-id']);
  if (apnsId !== undefined && !uuid.test(apnsId)) throw new ApnsRefusal('BadMessageId');

  const expiration = firstValue(headers['apns-expiration']);
  if (expiration !== undefined && !/^\d{1,12}$/.test(expiration)) {
    throw new ApnsRefusal('BadExpirationDate');
  }

  const pushType = firstValue(headers['apns-push-type']) ?? 'alert';
  if (!pushTypes.has(pushType)) throw new ApnsRefusal('InvalidPushType');

  const background = pushType === 'background';
  const priority = firstValue(headers['apns-priority']) ?? (background ? '5' : '10');
  if (!['10', '5', '1'].includes(priority) || (background && priority !== '5')) {
    throw new ApnsRefusal('BadPriority');
  }

  const collapseId = firstValue(headers['apns-collapse-id']);
  if (collapseId !== undefined && Buffer.byteLength(collapseId) > 64) {
    throw new ApnsRefusal('BadCollapseId');
  }

  const topic = firstValue(headers['apns-topic']);
  if (topic === undefined || topic === '') throw new ApnsRefusal('MissingTopic');
  if (!/^[\w.-]{1,255}$/.test(topic)) throw new ApnsRefusal('BadTopic');

  return {
    apns_id: apnsIdOf(headers),
    topic,
    bundle_id: topic.replace(topicSuffix, ''),
    push_type: pushType,
    priority: Number(priority),
    collapse_id: collapseId ?? null,
    expires_at: expiration === undefined ? undefined : Number(expiration) * 1000,
  };
}

function firstValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
