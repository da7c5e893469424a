import type { MessageId } from '@bellhop/protocol';

import type { CheckedReply } from '../reply.ts';
import type { Place } from '../rest/place.ts';

/** What a delivery needs of the REST API: to say something after its answer was given. */
export interface ReplySender {
  /** Rejects when the message could not be sent; it may have arrived all the same. */
  readonly say: (place: Place, reply: CheckedReply) => Promise<void>;
  /** Whether the bot has said this in a place, after a message. */
  readonly hasSent: (place: Place, after: MessageId, content: string) => Promise<boolean>;
}
