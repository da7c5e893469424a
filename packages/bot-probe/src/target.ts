import { post, type PostOptions, type PostResult } from './post.ts';
import { signatureHeaders } from './signature-headers.ts';

interface Identity {
  readonly botEmail: string;
  readonly botFullName: string;
  readonly token: string;
}

/** The endpoint that is probed. */
export interface Target {
  readonly identity: Identity;
  /** The content of every message. */
  readonly content: string;
  /** How long a server waits for an answer, in milliseconds. */
  readonly deadlineMs: number;
  /** How long a slow or endless request lasts, in milliseconds. */
  readonly slowMs: number;
  /** A new message id. */
  readonly nextId: () => number;
  /** Sends a request without signature headers. */
  readonly send: (request: Partial<PostOptions>) => Promise<PostResult>;
  /** Sends a payload as a chat server does, signed with the token. */
  readonly deliver: (payload: object, options?: DeliverOptions) => Promise<PostResult>;
}
interface DeliverOptions {
  readonly attempt?: number;
  /** Seconds added to the time of the signature. */
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
  const { content, deadlineMs, slowMs, signal, botEmail, botFullName, token } = options;
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
    identity: { botEmail, botFullName, token },
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
