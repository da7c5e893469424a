import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { errors } from '@bellhop/protocol';

/** A failure of the next `times` requests to `route`; the default is one request. */
export type Fault = {
  /** A route of the contract, like `PATCH /messages/{message_id}`; undefined means all routes. */
  readonly route?: string;
  readonly times?: number;
} & (
  | { /** Answers with this status, without effect. */ readonly status: number }
  | {
      /** Closes the connection before the request has its effect, or after it, without an answer. */
      readonly drop: 'before' | 'after';
    }
  | { /** Delays the request. */ readonly slowMs: number }
);

interface PendingFault {
  readonly fault: Fault;
  left: number;
}

export interface Faults {
  readonly fail: (fault: Fault) => void;
  /** Answers every request with 429 for so many seconds. */
  readonly rateLimit: (seconds: number) => void;
  readonly wrap: (listener: RequestListener) => RequestListener;
}

/** Makes requests to an API below `prefix` fail before they reach its listener. */
export function faults(prefix: string, signal: AbortSignal): Faults {
  const pending: PendingFault[] = [];
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
      else listener(request, withoutAnswer(response));
    },
  };
}

function matches(route: string | undefined, request: string): boolean {
  if (route === undefined) return true;
  const parts = request.replace(/\/$/, '').split('/');
  const wanted = route.split('/');
  return (
    parts.length === wanted.length &&
    wanted.every((part, at) => part.startsWith('{') || part === parts[at])
  );
}

function refuse(response: ServerResponse, status: number, data: object = {}): void {
  const known = Object.entries(errors).find(([, entry]) => entry.status === status);
  const msg = known?.[1].text ?? 'A fault of the test';
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ result: 'error', msg, code: known?.[0], ...data }));
}

/** Closes the connection instead of sending the response. */
function withoutAnswer(response: ServerResponse): ServerResponse {
  response.writeHead = () => {
    response.destroy();
    return response;
  };
  return response;
}
