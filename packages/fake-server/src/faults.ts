import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { errors } from '@bellhop/protocol';

/** What goes wrong, `times` times (once unless said otherwise), with requests to `route`. */
export type Fault = {
  /** `POST /messages`, `PATCH /messages/{message_id}`; all of them when left out. */
  readonly route?: string;
  readonly times?: number;
} & (
  | { /** An answer of this status, nothing done. */ readonly status: number }
  | {
      /** The connection breaks: before anything was done, or with the answer lost after it was. */
      readonly drop: 'before' | 'after';
    }
  | { /** Everything is done this much later. */ readonly slowMs: number }
);

interface Pending {
  readonly fault: Fault;
  left: number;
}

export interface Faults {
  readonly fail: (fault: Fault) => void;
  /** Every request is answered 429 until so many seconds have passed. */
  readonly rateLimit: (seconds: number) => void;
  readonly wrap: (listener: RequestListener) => RequestListener;
}

/** Faults that happen in front of the API below `prefix`. */
export function faults(prefix: string, signal: AbortSignal): Faults {
  const pending: Pending[] = [];
  let limitedUntil = 0;

  const take = ({ method = '', url = '' }: IncomingMessage): Fault | undefined => {
    const path = (url.split('?')[0] ?? '').slice(prefix.length);
    const at = pending.findIndex(({ fault }) => matches(fault.route, `${method} ${path}`));
    const found = pending[at];
    if (!found) return undefined;
    if (--found.left === 0) pending.splice(at, 1);
    return found.fault;
  };

  return {
    fail: (fault) => void pending.push({ fault, left: fault.times ?? 1 }),
    rateLimit(seconds) {
      limitedUntil = performance.now() + seconds * 1000;
    },
    wrap: (listener) => (request, response) => {
      const waitMs = limitedUntil - performance.now();
      const fault = waitMs > 0 ? undefined : take(request);
      if (waitMs > 0) {
        const retry = Math.ceil(waitMs) / 1000;
        response.setHeader('retry-after', String(retry));
        refuse(response, 429, { code: 'RATE_LIMIT_HIT', 'retry-after': retry });
      } else if (!fault) listener(request, response);
      else if ('status' in fault) refuse(response, fault.status);
      else if ('slowMs' in fault)
        void sleep(fault.slowMs, undefined, { signal }).then(
          () => listener(request, response),
          () => response.destroy(),
        );
      else if (fault.drop === 'before') request.destroy();
      else listener(request, losing(response));
    },
  };
}

function matches(route: string | undefined, asked: string): boolean {
  if (route === undefined) return true;
  const parts = asked.replace(/\/$/, '').split('/');
  const wanted = route.split('/');
  return (
    parts.length === wanted.length &&
    wanted.every((part, at) => part.startsWith('{') || part === parts[at])
  );
}

function refuse(response: ServerResponse, status: number, data: object = {}): void {
  const known = Object.entries(errors).find(([, entry]) => entry.status === status);
  const msg = known?.[1].text ?? 'A fault that was asked for';
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ result: 'error', msg, code: known?.[0], ...data }));
}

/** A response that is never sent: the connection breaks when it would be. */
function losing(response: ServerResponse): ServerResponse {
  response.writeHead = () => {
    response.destroy();
    return response;
  };
  return response;
}
