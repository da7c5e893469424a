/** A value of the header `traceparent` (W3C Trace Context, version 00). */
export type Traceparent = `00-${string}-${string}-${string}`;

const PATTERN = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
const SAMPLED = '01';

/** 32 hexadecimal digits. The last 14 are all random, as level 2 of the recommendation asks. */
const randomHex = (): string => crypto.randomUUID().replaceAll('-', '');

/** A new span, of a new trace or of the one with this ID: 32 hexadecimal digits, not all zero. */
export const newTraceparent = (traceId: string = randomHex(), flags = SAMPLED): Traceparent =>
  `00-${traceId}-${randomHex().slice(-16)}-${flags}`;

/** A new span of the caller's trace; of a new trace if the caller sent none, or a malformed one. */
export function continueTrace(header: string | undefined): Traceparent {
  const [, traceId = '', parentId = '', flags] = PATTERN.exec(header ?? '') ?? [];
  const isValid = /[^0]/.test(traceId) && /[^0]/.test(parentId);
  return isValid ? newTraceparent(traceId, flags) : newTraceparent();
}

/** The ID of the trace, for logs. */
export const traceIdOf = (traceparent: Traceparent): string => traceparent.slice(3, 35);
