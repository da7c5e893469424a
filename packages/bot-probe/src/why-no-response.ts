import type { PostResult } from './post.ts';

/** A sentence about why a request got no complete response. */
export function whyNoResponse({
  kind,
  reason,
  ms,
}: Exclude<PostResult, { kind: 'response' }>): string {
  if (kind === 'timeout') return `no answer within ${(ms / 1000).toFixed(1)} s`;
  if (kind !== 'connection') return reason;
  const words = known[reason];
  return words === undefined ? `no answer: ${reason}` : `${words} (${reason})`;
}

const known: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: nothing listens there',
  ECONNRESET: 'connection closed without an answer',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'no connection: a firewall may be in the way',
  'socket hang up': 'connection closed without an answer',
};
