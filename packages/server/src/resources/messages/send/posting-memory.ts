import type { RealmId } from '@bellhop/protocol';

import type { Change } from '../../../engine/call.ts';
import * as channels from '../../channels/queries.ts';

/** Channels remembered at most. */
const MOST = 1000;

/**
 * What messages leave for those sent right after them, so that these need not ask the database
 * first for channels as their senders stand to them.
 */
export class PostingMemory {
  readonly #channels = new Map<string, channels.PostableChannel>();
  #revision: number | undefined;

  /** Finds channels in the order asked. What it remembers holds, or the change is made again. */
  async channelsFor(
    { db, restsOn }: Pick<Change, 'db' | 'restsOn'>,
    realm: RealmId,
    asked: readonly channels.Asked[],
  ): Promise<readonly (channels.PostableChannel | undefined)[]> {
    const known = asked.map((one) => this.#channels.get(channels.askedKey(one)));
    if (this.#revision !== undefined && !known.includes(undefined)) {
      restsOn(this.#revision);
      return known;
    }
    const found = await channels.eachForPosting(db, realm, asked);
    for (const [at, one] of asked.entries()) this.#remember(one, found[at]);
    return found;
  }

  /** Not who may not post: time alone may change that. Nor a channel that waits for its first message. */
  #remember(asked: channels.Asked, channel: channels.PostableChannel | undefined): void {
    if (!channel?.can_send || channel.first_message_id === null) return;
    if (channel.revision !== this.#revision || this.#channels.size >= MOST) this.#channels.clear();
    this.#revision = channel.revision;
    this.#channels.set(channels.askedKey(asked), channel);
  }
}
