import { type Client, eventStream } from '@bellhop/client';
import { type AskOf, type Api, PushDeviceEvent } from '@bellhop/protocol';
import type { z } from 'zod';

export type RefusalCode = Extract<
  z.output<typeof PushDeviceEvent>,
  { status: 'failed' }
>['error_code'];

/** The bouncer refused the phone's registration. */
export class RegistrationRefused extends Error {
  readonly code: RefusalCode;
  /** What the server says is wrong; undefined for a server that says only the code. */
  readonly detail: string | undefined;

  constructor(code: RefusalCode, detail?: string) {
    const why = detail === undefined ? code : `${code}, ${detail}`;
    super(`The push service refused the registration: ${why}`);
    this.name = 'RegistrationRefused';
    this.code = code;
    this.detail = detail;
  }
}

/**
 * Registers a device with the chat server and waits for the bouncer's verdict: in an event or, if the
 * server drops the event queue, in the state of the next queue. Throws RegistrationRefused.
 */
export async function registerDevice(
  client: Client,
  request: AskOf<Api['devices']['registerPush']>,
  signal: AbortSignal,
): Promise<void> {
  const id = String(request.push_account_id);
  const eventTypes = ['push_device'];
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
    if (item.kind === 'event') {
      const event = PushDeviceEvent.safeParse(item.event).data;
      if (event?.push_account_id !== id) continue;
      if (event.status === 'failed')
        throw new RegistrationRefused(event.error_code, event.error_message);
      return;
    }
    const registered = item.state.push_devices?.[id];
    if (registered?.status === 'active') return;
    if (requested && registered?.status === 'failed')
      throw new RegistrationRefused(
        registered.error_code ?? 'BAD_REQUEST',
        registered.error_message,
      );
    if (!requested) await client.devices.registerPush(request);
    requested = true;
  }
  signal.throwIfAborted();
}
