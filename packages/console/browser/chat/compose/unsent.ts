import type { Destination } from './destination.ts';

/** A message that is being sent, or could not be sent. */
export interface Unsent {
  /** Comes back with the event of the message. */
  readonly local_id: string;
  readonly to: Destination;
  readonly content: string;
  /** UNIX time in seconds. */
  readonly timestamp: number;
  /** Why it was not sent; undefined while it is being sent. */
  readonly reason?: string | undefined;
  /** Set while the server may have stored the message: the ID of a message that was there before. */
  readonly after?: number | undefined;
  /** The ID that the server answered. The event is still missing. */
  readonly id?: number | undefined;
}
