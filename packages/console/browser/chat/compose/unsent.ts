import { type Shape, shapeReader } from '@bellhop/protocol/plain';

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

// The first view has no schemas of zod, which weighs a third of it.
const channel = { type: { oneOf: ['channel'] }, channel: 'int', topic: 'string' } as const;
const direct = { type: { oneOf: ['direct'] }, users: { array: 'int' } } as const;
const shape = {
  array: {
    object: {
      local_id: 'string',
      to: { union: [{ object: channel }, { object: direct }] },
      content: 'string',
      timestamp: 'number',
      reason: { optional: 'string' },
      after: { optional: 'int' },
      id: { optional: 'int' },
    },
  },
} as const satisfies Shape;
const read = shapeReader(shape);

/** The messages of a value that was stored; none of any other value. */
export function unsentOf(stored: unknown): readonly Unsent[] {
  const reading = read(stored);
  return reading.success ? (reading.data as readonly Unsent[]) : [];
}
