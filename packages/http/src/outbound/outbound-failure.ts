import { TunnelFailed } from '../proxy/open-tunnel.ts';
import {
  type AnswerFault,
  type ConnectionFault,
  OutboundError,
  unreadable,
} from './outbound-error.ts';
import { undici } from './undici.ts';

/** The limit of the headers of an answer, as that of its body. */
export const MAX_HEADER_BYTES = 65_536;

interface Signals {
  deadline: AbortSignal;
  canceled?: AbortSignal;
}

const isTimeout = (error: unknown) =>
  error instanceof undici().errors.ConnectTimeoutError ||
  error instanceof undici().errors.HeadersTimeoutError ||
  error instanceof undici().errors.BodyTimeoutError ||
  error instanceof TunnelFailed ||
  (error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT');

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

const isTls = (error: unknown) =>
  /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(codeOf(error)) &&
  !/WRONG_VERSION_NUMBER|PACKET_LENGTH/.test(codeOf(error));

/** The fault of a connection, by the code of its error. */
export function connectionFault(error: unknown): ConnectionFault {
  const code = codeOf(error);
  if (isTls(error)) return 'certificate';
  // OpenSSL reads the plain text of an HTTP server as a TLS record.
  if (code.startsWith('ERR_SSL')) return 'not_tls';
  if (code === 'ECONNREFUSED') return 'refused';
  return /^(E?NETUNREACH|E?HOSTUNREACH|EADDRNOTAVAIL)$/.test(code) ? 'unreachable' : 'closed';
}

/** What is wrong with an answer that came; undefined if none came. */
function answerFault(error: unknown): [fault: AnswerFault, words: string] | undefined {
  const { errors } = undici();
  if (error instanceof errors.HeadersOverflowError)
    return ['header_too_large', `has more than ${MAX_HEADER_BYTES / 1024} KiB of headers`];
  // Two equal headers too: undici joins their digits.
  if (error instanceof errors.ResponseContentLengthMismatchError)
    return ['bad_http', 'has a Content-Length that does not fit, or more than one'];
  if (error instanceof errors.HTTPParserError) {
    const [, reason = ''] = /\((.+)\)$/.exec(error.message) ?? [];
    if (/^Expected (HTTP|dot)|HTTP version/.test(reason)) return ['not_http', 'is not HTTP/1.1'];
    return ['bad_http', `is not valid HTTP${reason && `: ${reason}`}`];
  }
  if (error instanceof errors.SocketError && error.message === 'bad upgrade')
    return ['bad_http', 'changes to another protocol, which nobody asked for'];
  // undici expects a status from 100 on, and 100 only where it has been asked for.
  const isBadStatus = error instanceof errors.SocketError && error.message === 'bad response';
  if (isBadStatus || codeOf(error) === 'ERR_ASSERTION')
    return ['bad_http', 'is not valid HTTP: its status'];
  return undefined;
}

/** Converts an error of a request into an OutboundError; rethrows errors of this program. */
export function outboundFailure(error: unknown, { deadline, canceled }: Signals): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error instanceof undici().errors.InvalidArgumentError) throw error;
  if (error instanceof TunnelFailed && error.kind !== 'timeout') {
    const message = 'The endpoint could not be reached through the proxy of this server.';
    return new OutboundError('connection', message, { cause: error });
  }
  if (deadline.aborted || isTimeout(error)) {
    return new OutboundError('timeout', 'The endpoint did not answer in time.', { cause: error });
  }
  if (canceled?.aborted === true) {
    return new OutboundError('canceled', 'The request was given up.', { cause: error });
  }
  const answered = answerFault(error);
  if (answered) return unreadable(...answered, { cause: error });
  const message = isTls(error)
    ? 'The certificate of the endpoint is not trusted.'
    : 'The endpoint could not be reached or broke off.';
  return new OutboundError('connection', message, {
    cause: error,
    fault: connectionFault(error),
  });
}
