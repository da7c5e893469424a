import type { IncomingHttpHeaders } from 'node:http';

import type { OutboundTiming } from './step-clock.ts';

export interface OutboundResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** The target of a redirect, which is not followed. */
  location?: string;
  /** The body without its content-encoding. */
  body: Buffer;
  timing: OutboundTiming;
}
