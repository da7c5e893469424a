import { parseJson, stringifyJson } from '@bellhop/protocol';

/**
 * Writes JSON in which the payloads of notifications have the numbers that the sender wrote. A parsed payload
 * has rounded those of 64 bits, such as `push_account_id`.
 */
export const exactJson = (value: unknown): string => stringifyJson(withExactPayloads(value));

function withExactPayloads(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withExactPayloads);
  if (typeof value !== 'object' || value === null) return value;
  if (isApnsNotification(value)) return { ...value, payload: parseJson(value.body) };
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withExactPayloads(field)]),
  );
}

const isApnsNotification = (value: object): value is { readonly body: string } =>
  'kind' in value && value.kind === 'apns' && 'payload' in value && 'body' in value;
