import type { IncomingHttpHeaders } from 'node:http';

export interface OutboundResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** The target of a redirect, which is not followed. */
  location?: string;
  /** The body as sent, not decompressed. */
  body: Buffer;
}
