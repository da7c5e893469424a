import type { AnyBot, BotOptions } from '@bellhop/bot';
import { ReceivedWebhook } from '@bellhop/protocol';

import { UserError } from '../command-line/user-error.ts';
import type { FrameworkInternals } from './bot-module.ts';

/**
 * Delivers the payload of a webhook, with or without its token, to a bot whose REST calls stay in
 * memory. Throws a UserError that names each wrong field if it is not the payload of a webhook.
 */
export async function receivePayload(
  { readDelivery, receiveInMemory }: FrameworkInternals,
  makeBot: (options: BotOptions) => AnyBot,
  payload: unknown,
): ReturnType<FrameworkInternals['receiveInMemory']> {
  const body =
    typeof payload === 'object' && payload !== null ? { token: 'recorded', ...payload } : payload;
  const received = readDelivery(body);
  if (received === undefined) throw wrongPayload(body);
  return receiveInMemory(makeBot, received);
}

function wrongPayload(body: unknown): UserError {
  const { error } = ReceivedWebhook.safeParse(body);
  const issues = error?.issues ?? [
    { path: ['message'], message: 'the trigger and the place of the message do not agree' },
  ];
  const lines = issues.map(({ path, message }) => `  ${path.join('.') || 'the whole'}: ${message}`);
  return new UserError(`This is not the payload of an outgoing webhook.\n${lines.join('\n')}`);
}
