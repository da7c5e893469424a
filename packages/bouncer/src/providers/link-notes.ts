import type { H2Response } from '../http2/pending-request.ts';

/** Facts about an attempt that the connection to a provider adds to its trace. */
export interface LinkNotes {
  /** The size that the provider limits, and the limit. */
  bytes?: number;
  maxBytes?: number;
  /** The number of the HTTP/2 connection. */
  session?: number;
  /** Until a connection had room for the request. */
  waitedMs?: number;
  status?: number;
  /** The delay that the provider asked for, in seconds. */
  retryAfter?: number | undefined;
  environment?: string;
}

export function noteAnswer(notes: LinkNotes, { status, session, waitedMs }: H2Response): void {
  notes.status = status;
  notes.session = session;
  notes.waitedMs = waitedMs;
}
