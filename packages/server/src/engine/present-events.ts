import { isRequestedType, publicEvent, type RealmId } from '@bellhop/protocol';

import { addEvent, type DeliveredEvent } from './add-event.ts';
import { isFor, type Listener } from './audience.ts';
import type { User } from './caller.ts';
import { idOf } from './event-log.ts';
import { presentAsStored, type Presenters, type Reader, type StoredEvent } from './stored-event.ts';

/** How stored events become those that queues deliver. */
export interface Presentation {
  readonly presenters: Presenters;
  /** The events as shown to a guest who does not see all users; fewer, if some are not for them. */
  readonly shownToGuest: (
    guest: Pick<User, 'id' | 'realm_id'>,
    events: readonly StoredEvent[],
  ) => Promise<readonly StoredEvent[]>;
}
export interface PresentedQueue extends Reader, Listener {
  readonly realm: RealmId;
  /** Whether the user is a guest who does not see all users. */
  readonly is_limited: boolean;
  /** Subtracted from the IDs of the log in answers to the client. */
  readonly id_offset: number;
}
export interface Presented {
  readonly events: readonly DeliveredEvent[];
  /** Whether a change ended the queue after these events. */
  readonly isEnded: boolean;
}
interface Unread {
  readonly queue: PresentedQueue;
  readonly stored: readonly StoredEvent[];
  /** The ID that the client acknowledged. */
  readonly after: number;
}

/**
 * The events for a queue in its form. A promise of them only for guests who do not see all users: whom
 * they see is looked up.
 */
export function present(
  { presenters, shownToGuest }: Presentation,
  unread: Unread,
): Presented | Promise<Presented> {
  const { queue, stored } = unread;
  // Before guests are shown less: the event that ends the queue may name only users whom they do not see.
  const end = stored.findIndex((event) => endsQueue(event, unread));
  const own = (end < 0 ? stored : stored.slice(0, end)).filter((event) => isWanted(event, queue));
  const presented = (shown: readonly StoredEvent[]): Presented => ({
    events: delivered(presenters, { ...unread, stored: shown }),
    isEnded: end >= 0,
  });
  if (!queue.is_limited) return presented(own);
  return shownToGuest({ realm_id: queue.realm, id: queue.user_id }, own).then(presented);
}

function delivered(presenters: Presenters, { queue, stored, after }: Unread): DeliveredEvent[] {
  const events: DeliveredEvent[] = [];
  const { reads_public_names } = queue.registration;
  for (const event of stored) {
    const { seq, type } = event;
    const shown = (presenters[type] ?? presentAsStored)(event, queue);
    for (const [part, one] of shown.entries()) {
      const id = idOf(seq, part);
      if (id <= after) continue;
      const named = reads_public_names ? publicEvent(type, one) : one;
      addEvent(events, type, { ...named, id: id - queue.id_offset });
    }
  }
  return events;
}

const endsQueue = ({ seq, personal }: StoredEvent, { queue, after }: Unread): boolean =>
  personal?.ended?.includes(queue.user_id) === true && idOf(seq) > after;

const isWanted = (event: StoredEvent, queue: PresentedQueue): boolean =>
  isFor(event, queue) && isRequestedType(event.type, queue.registration.event_types);
