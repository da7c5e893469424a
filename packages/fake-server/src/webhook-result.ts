import type { PostResult } from '@bellhop/bot-probe/webhooks';
import {
  type DeliveryResult,
  failedCall,
  interpretAnswer,
  isSuccessStatus,
  redact,
  resultOfResponse,
} from '@bellhop/protocol';

interface PostedTo {
  /** The interface of the bot: 1 is the generic one, 2 the Slack-compatible one. */
  readonly interfaceType: number;
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** The result of a request to a webhook; undefined if this server has canceled it. */
export function webhookResult(
  posted: PostResult,
  { interfaceType, token, nowMs }: PostedTo,
): DeliveryResult | undefined {
  if (posted.kind === 'fault') {
    const { fault, detail } = posted;
    if (fault === 'canceled') return undefined;
    return failedCall(fault, {}, detail === undefined ? {} : { excerpt: `the answer ${detail}` });
  }
  const { status, headers, body } = posted;
  const answer = isSuccessStatus(status) ? interpretAnswer(body, interfaceType) : undefined;
  return resultOfResponse({ status, headers, excerpt: redact(body, [token]), answer }, nowMs);
}
