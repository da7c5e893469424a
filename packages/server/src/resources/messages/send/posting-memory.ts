import type { Last } from '@bellhop/postgres';
import type { MessageId, RealmId } from '@bellhop/protocol';

import type { Change, Db, Tx } from '../../../engine/call.ts';
import * as channels from '../../channels/queries.ts';
import * as queries from '../queries.ts';

/** Channels remembered at most. */
const MOST = 1000;

/**
 * What messages leave for those sent right after them, so that these need not ask the database
 * first: channels as their senders stand to them, and ids.
 */
export class PostingMemory {
  readonly #channels = new Map<string, channels.PostableChannel>();
  #revision: number | undefined;
  #ids: MessageId[] = [];
  #reserved: Last<{ id: MessageId }> | undefined;
  #isGoingOn = false;

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

  /** Ascending ids, above all that it gave before. */
  async idsFor(db: Db, count: number): Promise<readonly MessageId[]> {
    const ids = [...this.#ids, ...(this.#reserved?.rows.map(({ id }) => id) ?? [])];
    this.#reserved = undefined;
    const suffice = ids.length >= count;
    this.#ids = suffice ? ids.slice(count) : [];
    return suffice ? ids.slice(0, count) : queries.nextIds(db, count);
  }

  /**
   * Has ids come along with the commit for as many messages and as many again, if others were sent
   * just before: who writes alone leaves no gaps.
   */
  reserve(tx: Tx, count: number): void {
    const missing = 2 * count - this.#ids.length;
    if (this.#isGoingOn && missing > 0) this.#reserved = queries.laterIds(tx, missing);
    this.#isGoingOn = true;
  }

  /** Not who may not post: time alone may change that. Nor a channel that waits for its first message. */
  #remember(asked: channels.Asked, channel: channels.PostableChannel | undefined): void {
    if (!channel?.can_send || channel.first_message_id === null) return;
    if (channel.revision !== this.#revision || this.#channels.size >= MOST) this.#channels.clear();
    this.#revision = channel.revision;
    this.#channels.set(channels.askedKey(asked), channel);
  }
}
