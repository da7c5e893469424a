import { z } from 'zod';

import { badField, fcmRefusal, FcmRefusal } from './fcm-errors.ts';

const maxTtlSeconds = 2_419_200;
const reserved = /^(from|message_type|collapse_key|gcm.*|google.*)$/;

const Message = z.strictObject({
  token: z.string().optional(),
  fid: z.string().optional(),
  topic: z.string().optional(),
  condition: z.string().optional(),
  name: z.string().optional(),
  data: z.record(z.string(), z.string()).optional(),
  notification: z.record(z.string(), z.string()).optional(),
  android: z
    .strictObject({
      priority: z
        .string()
        .regex(/^(high|normal)$/i)
        .optional(),
      ttl: z
        .string()
        .regex(/^\d+(\.\d+)?s$/)
        .optional(),
      collapse_key: z.string().optional(),
      restricted_package_name: z.string().optional(),
      direct_boot_ok: z.boolean().optional(),
      data: z.record(z.string(), z.string()).optional(),
      notification: z.record(z.string(), z.unknown()).optional(),
      fcm_options: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  apns: z.record(z.string(), z.unknown()).optional(),
  webpush: z.record(z.string(), z.unknown()).optional(),
  fcm_options: z.record(z.string(), z.unknown()).optional(),
});

const SendRequest = z.strictObject({ validate_only: z.boolean().optional(), message: Message });

const TokenMessage = z.object({ message: z.object({ token: z.string() }) });
const DataMessage = z.object({ message: z.object({ data: z.looseObject({}) }) });

/** A checked message to one device. */
export interface FcmMessage {
  token: string;
  data: Record<string, string>;
  priority: 'high' | 'normal';
  collapse_key: string | null;
  ttl_seconds: number;
  validate_only: boolean;
}

/** Reads the body of `messages:send`. Throws an `FcmRefusal` that names the invalid field. */
export function readFcmMessage(body: Buffer): FcmMessage {
  const { message, validate_only } = parse(body);
  const targets = [message.token, message.fid, message.topic, message.condition];
  const [target, another] = targets.filter((value) => value !== undefined);
  if (target === undefined || another !== undefined) {
    throw invalid('message', 'Exactly one of token, fid, topic and condition must be set.');
  }
  if (message.token === undefined) {
    throw invalid('message', 'This fake of FCM sends to registration tokens only.');
  }
  const data = message.android?.data ?? message.data ?? {};
  const wrongKey = Object.keys(data).find((key) => key === '' || reserved.test(key));
  if (wrongKey !== undefined) {
    throw invalid('message.data', `Invalid data payload key: ${wrongKey}`);
  }
  const ttl = Number((message.android?.ttl ?? `${maxTtlSeconds}s`).slice(0, -1));
  if (ttl > maxTtlSeconds) {
    throw invalid('message.android.ttl', 'The time to live is 4 weeks at most.');
  }
  const size = Object.entries({ ...data, ...message.notification }).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (size > 4096) {
    throw invalid('message', 'Message is too large. The maximum is 4K (4096 bytes).');
  }
  return {
    token: message.token,
    data,
    priority: /^high$/i.test(message.android?.priority ?? '') ? 'high' : 'normal',
    collapse_key: message.android?.collapse_key ?? null,
    ttl_seconds: ttl,
    validate_only: validate_only ?? false,
  };
}

/** The data in the body as JSON text; undefined if there is none. */
export function fcmDataIn(body: Buffer): string | undefined {
  try {
    return JSON.stringify(DataMessage.parse(JSON.parse(body.toString('utf8'))).message.data);
  } catch {
    return undefined;
  }
}

/** The unchecked token in the body. */
export function fcmTokenIn(body: Buffer): string | null {
  try {
    return TokenMessage.parse(JSON.parse(body.toString('utf8'))).message.token;
  } catch {
    return null;
  }
}

function parse(body: Buffer): z.infer<typeof SendRequest> {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    throw malformed('', 'Invalid JSON payload received.');
  }
  const parsed = SendRequest.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])];
  const field = fieldName(path.map(String), json);
  const problem = unknown === undefined ? 'Invalid value' : 'Unknown name';
  throw malformed(field, `Invalid JSON payload received. ${problem} at '${field}'`);
}

/** Google counts the entries of a map: the second value in `data` is `message.data[1].value`. */
function fieldName(path: string[], json: unknown): string {
  const [message, data, key] = path;
  const entries = DataMessage.safeParse(json);
  if (message !== 'message' || data !== 'data' || key === undefined || !entries.success) {
    return path.join('.');
  }
  const index = Object.keys(entries.data.message.data).indexOf(key);
  return `message.data[${index}].value`;
}

function invalid(field: string, description: string): FcmRefusal {
  return fcmRefusal('INVALID_ARGUMENT', {
    message: description,
    details: [badField(field, description)],
  });
}

/** The error for JSON of the wrong shape. Google rejects it before FCM, so there is no FcmError. */
function malformed(field: string, message: string): FcmRefusal {
  return new FcmRefusal({
    status: 400,
    statusWord: 'INVALID_ARGUMENT',
    message,
    details: [badField(field, message)],
  });
}
