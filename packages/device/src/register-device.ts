import { type Client, eventStream } from '@bellhop/client';
import type { AnswerOf, Api } from '@bellhop/protocol';

import { RegistrationRefused } from './registration-refused.ts';

/** What the chat server says of a phone: active, refused by the bouncer, or not decided (undefined). */
export type Standing = 'active' | RegistrationRefused | undefined;

export type RegisteredState = Pick<AnswerOf<Api['queues']['register']>, 'push_devices' | 'devices'>;

/** How a phone of one generation registers. */
export interface Registration {
  readonly eventType: 'push_device' | 'device';
  readonly inState: (state: RegisteredState) => Standing;
  /** Undefined also for an event about another phone. */
  readonly afterEvent: (event: unknown) => Standing;
  /** Sends what the server does not have. True if its answer is the verdict. */
  readonly send: (state: RegisteredState) => Promise<boolean>;
}

/**
 * Registers a phone with the chat server and waits for the bouncer's verdict: in an event or, if the
 * server drops the event queue, in the state of the next queue. Throws RegistrationRefused.
 */
export async function registerDevice(
  client: Client,
  { eventType, inState, afterEvent, send }: Registration,
  signal: AbortSignal,
): Promise<void> {
  const eventTypes = [eventType];
  let requested = false;
  const stream = eventStream(
    client,
    {
      event_types: eventTypes,
      fetch_event_types: eventTypes,
      client_capabilities: { push_device_error_message: true },
    },
    { signal },
  );
  for await (const item of stream) {
    const standing = item.kind === 'event' ? afterEvent(item.event) : inState(item.state);
    if (standing === 'active') return;
    if (requested && standing) throw standing;
    if (requested || item.kind === 'event') continue;
    if (await send(item.state)) return;
    requested = true;
  }
  signal.throwIfAborted();
}
