import type { H2Response } from '../http2/pending-request.ts';

/** What a connection to a provider notes of an attempt, for its trace. */
export interface LinkNotes {
  /** What the provider measures, and its limit. */
  bytes?: number;
  maxBytes?: number;
  /** The number of the HTTP/2 connection. */
  session?: number;
  /** Until a connection had room for the request. */
  waitedMs?: number;
  status?: number;
  /** As the provider asked, in seconds. */
  retryAfter?: number | undefined;
  environment?: string;
}

export function noteAnswer(notes: LinkNotes, { status, session, waitedMs }: H2Response): void {
  notes.status = status;
  notes.session = session;
  notes.waitedMs = waitedMs;
}
