import type { DeliveryFault } from '@bellhop/protocol/contract';

/** The code of an error of Node; empty if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** The codes of a name that has no address. */
const MISSING_HOST: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'ENODATA',
  'EAI_NONAME',
  'EAI_NODATA',
]);

/** The fault of a connection that was not opened, or closed before a complete response. */
export type ConnectionFault = Extract<
  DeliveryFault,
  'dns' | 'unknown_host' | 'refused' | 'unreachable' | 'not_tls' | 'certificate' | 'closed'
>;

/** The fault of a look-up of a name. */
export const lookUpFault = (error: unknown): Extract<DeliveryFault, 'dns' | 'unknown_host'> =>
  MISSING_HOST.has(codeOf(error)) ? 'unknown_host' : 'dns';

/** The fault of a connection, by the code of its error. */
export function connectionFault(error: unknown): ConnectionFault {
  const code = codeOf(error);
  if (error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo')
    return lookUpFault(error);
  // OpenSSL reads the plain text of an HTTP server as a TLS record.
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH/.test(code)) return 'not_tls';
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return 'certificate';
  if (code === 'ECONNREFUSED') return 'refused';
  return /^(E?NETUNREACH|E?HOSTUNREACH|EADDRNOTAVAIL)$/.test(code) ? 'unreachable' : 'closed';
}

/** What the parsers of Node and of undici miss in an answer of another protocol. */
const ANOTHER_PROTOCOL: ReadonlySet<string> = new Set([
  'Expected HTTP/',
  'Expected HTTP/, RTSP/ or ICE/',
  'Expected dot',
  'Invalid HTTP version',
]);

/** The fault of an answer that is not valid HTTP, by what the parser misses in it. */
export const parserFault = (
  reason: string,
): [fault: Extract<DeliveryFault, 'not_http' | 'bad_http'>, detail: string] =>
  ANOTHER_PROTOCOL.has(reason)
    ? ['not_http', 'is not HTTP/1.1']
    : ['bad_http', `is not valid HTTP${reason && `: ${reason}`}`];
