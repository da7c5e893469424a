import { readDelivery } from '../delivery.ts';
import type { Failure } from '../hooks.ts';
import type { AnyBot } from '../internals.ts';
import type { Reply } from '../rest/reply.ts';
import { Runtime } from '../runtime.ts';

/**
 * Delivers a recorded webhook payload, as an object or as JSON text, and resolves with the reply;
 * undefined is silence. The token is not checked. Rejects with the error of the handler, and with a
 * TypeError on a malformed payload.
 */
export async function receive(bot: AnyBot, recorded: unknown): Promise<Reply | undefined> {
  const body = typeof recorded === 'string' ? parsed(recorded) : recorded;
  const token = { token: '' };
  const received = readDelivery(typeof body === 'object' ? { ...token, ...body } : body);
  if (received === undefined) throw notPayload();
  const failures: Failure[] = [];
  const hooks = { onError: (failure: Failure) => void failures.push(failure) };
  // A delivery that the store has recorded as answered is handled again.
  const { dispatcher } = new Runtime(bot, { hooks, place: 'test', instead: { store: undefined } });
  const reply = await dispatcher.accept(received.delivery);
  await dispatcher.idle();
  const [failure] = failures;
  if (failure) throw failure.error;
  return reply;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notPayload({ cause });
  }
}

const notPayload = (options?: { readonly cause?: unknown }) =>
  new TypeError('The recording is not a webhook payload.', options);
