import { type Answer, post, type Posted } from './post.ts';
import { signatureHeaders } from './signature-headers.ts';

export interface Identity {
  readonly bot_email: string;
  readonly bot_full_name: string;
  readonly token: string;
}

/** The endpoint that is probed, and how to talk to it. */
export interface Target {
  readonly identity: Identity;
  /** What every message says. */
  readonly content: string;
  /** How long a server waits for an answer, in milliseconds. */
  readonly deadlineMs: number;
  /** How long a slow or endless request is kept up, in milliseconds. */
  readonly slowMs: number;
  /** An id that no message has had before. */
  readonly nextId: () => number;
  /** Sends whatever it is given, unsigned. */
  readonly send: (request: Partial<Posted>) => Promise<Answer>;
  /** Sends a payload as a chat server does, signed by the token. */
  readonly deliver: (payload: object, how?: Delivering) => Promise<Answer>;
}
interface Delivering {
  readonly attempt?: number;
  /** Seconds to add to the time it is signed at. */
  readonly skew?: number;
  readonly signedBy?: string;
}

interface TargetOptions extends Identity {
  readonly content: string;
  readonly deadlineMs: number;
  readonly slowMs: number;
  readonly signal?: AbortSignal;
}

export function targetAt(url: string, options: TargetOptions): Target {
  const { content, deadlineMs, slowMs, signal, bot_email, bot_full_name, token } = options;
  let id = Date.now();
  const send: Target['send'] = ({ headers = {}, ...request }) =>
    post(url, {
      timeoutMs: deadlineMs,
      ...request,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Bellhop-probe',
        ...headers,
      },
      ...(signal ? { signal } : {}),
    });
  return {
    identity: { bot_email, bot_full_name, token },
    content,
    deadlineMs,
    slowMs,
    nextId: () => ++id,
    send,
    deliver(payload, { attempt = 1, skew = 0, signedBy = token } = {}) {
      const body = JSON.stringify(payload);
      const { message } = payload as { readonly message?: { readonly id?: unknown } };
      const timestamp = Math.floor(Date.now() / 1000) + skew;
      const signed = { id: `probe-${String(message?.id)}`, timestamp, body };
      const headers = { ...signatureHeaders(signedBy, signed), 'webhook-attempt': String(attempt) };
      return send({ body, headers });
    },
  };
}
