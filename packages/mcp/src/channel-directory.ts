import type { ClientOf } from '@bellhop/client';
import { type ChannelId, foldCase } from '@bellhop/protocol';

import type { readingContract } from './chat-contract.ts';
import { ToolError } from './failure.ts';

export interface ListedChannel {
  readonly id: ChannelId;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
}

/** The channels that the agent may use. Each function throws what the client throws. */
export interface ChannelDirectory {
  /** The channels that were chosen for the agent; undefined if it may use all that the bot sees. */
  readonly chosen: readonly ListedChannel[] | undefined;
  readonly isAllowed: (id: ChannelId | undefined) => boolean;
  /** Sorted by name. */
  readonly list: (signal?: AbortSignal) => Promise<readonly ListedChannel[]>;
  /** A channel by name, in any letter case, or ID. Throws a ToolError if the agent may not use it. */
  readonly find: (channel: string | number, signal?: AbortSignal) => Promise<ListedChannel>;
}

/** Rights and names seldom change, and the server checks each call anyway. */
const MAX_AGE_MS = 30_000;

/**
 * The channels that a bot sees, or those of `chosen`, by names or IDs. Throws a ToolError if the bot does not
 * see one of them.
 */
export async function channelDirectory(
  client: ClientOf<typeof readingContract>,
  chosen: readonly string[] | undefined,
): Promise<ChannelDirectory> {
  let known: { readonly at: number; readonly channels: readonly ListedChannel[] } | undefined;
  const fetchAll = async (signal: AbortSignal | undefined) => {
    const { streams } = await client.channels.list({}, signal ? { signal } : {});
    const channels = streams
      .map(({ stream_id, name, description, invite_only }) => ({
        id: stream_id,
        name,
        description,
        isPrivate: invite_only,
      }))
      .sort((a, b) => a.name.localeCompare(b.name));
    known = { at: performance.now(), channels };
    return channels;
  };
  const all = async (signal?: AbortSignal) =>
    known && performance.now() - known.at < MAX_AGE_MS ? known.channels : fetchAll(signal);
  const findAny = async (wanted: string | number, signal?: AbortSignal) =>
    // A channel that is not known may be new, or the bot may have been added to it just now.
    pick(await all(signal), wanted) ?? pick(await fetchAll(signal), wanted);

  const limits = chosen && (await Promise.all(chosen.map((one) => requireChosen(one, findAny))));
  const isAllowed = (id: ChannelId | undefined) =>
    !limits || limits.some((channel) => channel.id === id);
  return {
    chosen: limits,
    isAllowed,
    list: async (signal) => (await all(signal)).filter(({ id }) => isAllowed(id)),
    async find(wanted, signal) {
      const channel = await findAny(wanted, signal);
      if (channel && isAllowed(channel.id)) return channel;
      throw new ToolError(
        `There is no channel ${JSON.stringify(wanted)} that you may use: list_channels names those that there are. In a private channel, somebody has to subscribe the bot first.`,
      );
    },
  };
}

async function requireChosen(
  wanted: string,
  find: (wanted: string) => Promise<ListedChannel | undefined>,
): Promise<ListedChannel> {
  const channel = await find(wanted);
  if (channel) return channel;
  throw new ToolError(
    `The bot sees no channel ${JSON.stringify(wanted)}: write a name or an ID as the chat server has it, and subscribe the bot if the channel is private.`,
  );
}

/** By name, else by ID. */
const pick = (channels: readonly ListedChannel[], wanted: string | number) =>
  channels.find(({ name }) => foldCase(name) === foldCase(String(wanted).replace(/^#/, ''))) ??
  channels.find(({ id }) => String(id) === String(wanted));
