/** A value of the header `traceparent` (W3C Trace Context, version 00). */
export type Traceparent = `00-${string}-${string}-${string}`;

const PATTERN = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
const SAMPLED = '01';

const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** A new span, of a new trace or of the one with this ID: 32 hexadecimal digits, not all zero. */
export const newTraceparent = (traceId: string = randomHex(16), flags = SAMPLED): Traceparent =>
  `00-${traceId}-${randomHex(8)}-${flags}`;

/** A new span of the caller's trace; of a new trace if the caller sent none, or a malformed one. */
export function continueTrace(header: string | undefined): Traceparent {
  const [, traceId = '', parentId = '', flags] = PATTERN.exec(header ?? '') ?? [];
  const isValid = /[^0]/.test(traceId) && /[^0]/.test(parentId);
  return isValid ? newTraceparent(traceId, flags) : newTraceparent();
}

/** The ID of the trace, for logs. */
export const traceIdOf = (traceparent: Traceparent): string => traceparent.slice(3, 35);
