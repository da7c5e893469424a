import {
  type ClientOf,
  type ClientOptions,
  ConnectionFailed,
  createClientFor,
} from '@bellhop/client';
import { ApiError, type UserId } from '@bellhop/protocol';

import { type ChannelDirectory, channelDirectory } from './channel-directory.ts';
import { readingContract, writingContract } from './chat-contract.ts';

export interface AgentOptions {
  /** The address of the chat server, and the login of the bot. */
  readonly url: string;
  readonly email: string;
  readonly apiKey: string;
  /** Names or IDs of the only channels that the agent may use. Then it has no direct messages. */
  readonly channels?: readonly string[];
}

/** A model that acts in a chat as a bot. */
export interface Agent {
  readonly client: ClientOf<typeof readingContract>;
  /** The address of the chat server, without a slash at its end. */
  readonly url: string;
  readonly me: { readonly id: UserId; readonly name: string; readonly isBot: boolean };
  readonly channels: ChannelDirectory;
}

/** An agent that may also write. */
export interface WritingAgent extends Agent {
  readonly writer: ClientOf<typeof writingContract>;
}

/** Clients of MCP give a call up after a minute. */
const TIMEOUT_MS = 30_000;
const RETRY = { retries: 2, maxWaitMs: 10_000 };

/** Logs the bot in. Throws an error that says what to do. */
export async function openAgent({
  url,
  email,
  apiKey,
  channels,
}: AgentOptions): Promise<WritingAgent> {
  const options: ClientOptions = {
    url,
    email,
    apiKey,
    userAgent: 'BellhopMcp/0.1',
    timeoutMs: TIMEOUT_MS,
    retryPolicy: RETRY,
  };
  const client = createClientFor(readingContract, options);
  try {
    const { user_id: id, full_name: name, is_bot: isBot } = await client.users.me();
    return {
      client,
      writer: createClientFor(writingContract, options),
      url: url.replace(/\/+$/, ''),
      me: { id, name, isBot },
      channels: await channelDirectory(client, channels),
    };
  } catch (error) {
    throw loginFailure(error, url, email);
  }
}

function loginFailure(error: unknown, url: string, email: string): unknown {
  if (error instanceof ApiError && error.status === 401)
    return new Error(
      `${url} does not accept the API key of ${email}: ${error.message}. Copy address and key of the bot from the chat server's settings.`,
      { cause: error },
    );
  if (error instanceof ConnectionFailed)
    return new Error(
      `There is no chat server at ${url}, or it does not answer: ${error.message}. Is this its address, and does it run?`,
      { cause: error },
    );
  return error;
}
