import {
  comparableTokens,
  type Delivery,
  isRefused,
  openDelivery,
  readRequest,
  type Recipient,
  refusalResponse,
  webResponse,
} from '@bellhop/bot/internals';
import type { Logger } from 'chat';

import type { CheckedConfig } from './adapter-config.ts';

const MAX_BODY_BYTES = 1024 * 1024;

/** The answer of a bot that posts its replies by REST. */
const SILENCE = { status: 200, body: '{"response_not_required":true}' } as const;

/**
 * Answers the outgoing webhook of a server. Compares the token, and checks the signature if the request
 * has one; refuses any other request. Calls `onDelivery` with a genuine delivery, and answers when it
 * has settled.
 */
export function webhookReceiver(
  { email, tokens }: Pick<CheckedConfig, 'email' | 'tokens'>,
  logger: () => Logger,
) {
  const own: Recipient<true> = { bot: true, tokens: comparableTokens(email, tokens) };
  const other: Recipient<true> = { bot: undefined, tokens: own.tokens };
  const recipients = {
    byEmail: (address: string) => (address.toLowerCase() === email.toLowerCase() ? own : other),
    byToken: () => own,
  };
  return async (
    request: Request,
    onDelivery: (delivery: Delivery) => Promise<void>,
  ): Promise<Response> => {
    const read = await readRequest(request, MAX_BODY_BYTES);
    const opened = isRefused(read) ? read : await openDelivery(read, recipients);
    if (isRefused(opened)) {
      logger().warn(
        `A webhook was refused with ${opened.status}: ${opened.reason ?? 'not a delivery'}`,
      );
      return webResponse(refusalResponse(opened));
    }
    const { delivery, isForm } = opened;
    if (isForm) {
      logger().warn(
        'A webhook has the Slack-compatible form, which names neither message nor topic: choose the generic interface for the bot on the chat server.',
      );
      return webResponse(
        refusalResponse({ status: 415, message: 'This bot needs the generic interface (1).' }),
      );
    }
    if (delivery.trigger === 'unknown')
      logger().warn(`A delivery with the unknown trigger ${delivery.sentTrigger} was ignored`);
    else await onDelivery(delivery);
    return webResponse(SILENCE);
  };
}
