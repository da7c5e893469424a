import type { IncomingHttpHeaders } from 'node:http';

export interface OutboundResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Where a redirection leads to; it is not followed. */
  location?: string;
  /** As sent: not decompressed. */
  body: Buffer;
}
