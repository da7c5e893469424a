import { X509Certificate } from 'node:crypto';
import { getCACertificates } from 'node:tls';

import { z } from 'zod';

import { itemsOf } from './entry-fields.ts';

/** A URL of scheme, host and port. */
export const Origin = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as https://api.push.apple.com' })
  .transform((text, context) => {
    const { origin, href } = new URL(text);
    if (href === `${origin}/`) return origin;
    context.addIssue('must be only scheme, host and port, as https://api.push.apple.com');
    return z.NEVER;
  });

export const TrueOrFalse = z.stringbool({ error: 'must be true or false' });

export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) => {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} on` : `from ${min} to ${max}`;
  const error = `must be a whole number ${range}`;
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .pipe(z.int(error).min(min, error).max(max, error));
};

export const json = <T>(schema: z.ZodType<T>) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue('must be JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);

const AsRecord = z
  .record(z.string(), z.string())
  .refine((keys) => Object.keys(keys).length > 0, 'must hold at least one pair');

/** `public:private,public:private`, or a JSON object, which not every reader of environment files keeps. */
export const KeyPairs = z.string().transform((text, context) => {
  const isJson = text.trimStart().startsWith('{');
  const pairs = isJson ? [] : itemsOf(text).map((pair) => pair.split(':'));
  const wrong = pairs.findIndex((pair) => pair.length !== 2);
  if (!isJson && wrong === -1) return Object.fromEntries(pairs);
  const parsed = isJson ? json(AsRecord).safeParse(text) : undefined;
  if (parsed?.success) return parsed.data;
  const which = pairs.length > 1 ? `: entry ${wrong + 1} is none` : '';
  context.addIssue(
    `must hold pairs of a public and a private key, base64, as public:private,public:private${which}`,
  );
  return z.NEVER;
});

const MIN_ENCRYPTION_KEY_LENGTH = 32;

/** Long random texts, separated by commas. */
export const EncryptionKeys = z.string().transform((text, context) => {
  const keys = itemsOf(text);
  const short = keys.findIndex((key) => key.length < MIN_ENCRYPTION_KEY_LENGTH);
  if (short === -1) return keys;
  const which = keys.length === 1 ? '' : `entry ${short + 1} `;
  context.addIssue(`${which}must have ${MIN_ENCRYPTION_KEY_LENGTH} characters or more`);
  return z.NEVER;
});

/** PEM certificates of authorities: those given, after the public ones. */
export const Authorities = z.string().transform((text, context) => {
  try {
    const given = text.match(/-----BEGIN [^]*?-----END [^\n]*/g) ?? [''];
    const own = given.map((pem) => new X509Certificate(pem).toString());
    return [...getCACertificates('default'), ...own].join('\n');
  } catch {
    context.addIssue('must hold certificates in PEM form');
    return z.NEVER;
  }
});
