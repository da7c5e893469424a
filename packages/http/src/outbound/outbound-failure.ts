import { codeOf, connectionFault, parserFault } from '../answers/connection-fault.ts';
import { TunnelFailed } from '../proxy/open-tunnel.ts';
import { type AnswerFault, OutboundError } from './outbound-error.ts';
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

/** undici gives the words of its parser only at this place of its message. */
const PARSER_WORDS = 'Response does not match the HTTP/1.1 protocol (';

const parserReason = ({ message }: Error): string =>
  message.startsWith(PARSER_WORDS) ? message.slice(PARSER_WORDS.length, -1) : '';

/** What is wrong with an answer that came; undefined if none came. */
function answerFault(error: unknown): [fault: AnswerFault, detail: string] | undefined {
  const { errors } = undici();
  if (error instanceof errors.HeadersOverflowError)
    return ['header_too_large', `has more than ${MAX_HEADER_BYTES / 1024} KiB of headers`];
  // Two equal headers too: undici joins their digits.
  if (error instanceof errors.ResponseContentLengthMismatchError)
    return ['bad_http', 'has a Content-Length that does not fit, or more than one'];
  if (error instanceof errors.HTTPParserError) return parserFault(parserReason(error));
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
  if (error instanceof TunnelFailed && error.kind !== 'timeout')
    return new OutboundError('unreachable', {
      cause: error,
      sentence: 'The endpoint could not be reached through the proxy of this server.',
    });
  if (deadline.aborted || isTimeout(error)) return new OutboundError('timeout', { cause: error });
  if (canceled?.aborted === true) return new OutboundError('canceled', { cause: error });
  const [fault, detail] = answerFault(error) ?? [connectionFault(error)];
  return new OutboundError(fault, { cause: error, ...(detail !== undefined && { detail }) });
}
