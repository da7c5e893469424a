import { styleText } from 'node:util';

import { type Device, NotificationRefused } from '@bellhop/device';
import type { PushPayload } from '@bellhop/protocol';
import { appDataOf, type Notification } from '@bellhop/push-simulator';

import { terminalLine } from '../command-line/terminal-text.ts';

/** One notification on one phone, for `bellhop device watch --json`. */
export interface Arrival {
  readonly phone: string;
  readonly seq: number;
  readonly received_at: string;
  /** Bytes that the provider delivered to the app. */
  readonly size: number;
  readonly priority: string | number;
  /** What the phone decrypted; absent if it cannot use the notification. */
  readonly payload?: PushPayload;
  /** Why the phone cannot use it. */
  readonly refused?: string;
}

/** Hands a notification to the phone. */
export function arrivalOf(phone: string, device: Device, notification: Notification): Arrival {
  const { received } = appDataOf(notification);
  const text = typeof received === 'string' ? received : JSON.stringify(received);
  const facts = {
    phone,
    seq: notification.seq,
    received_at: new Date(notification.received_at).toISOString(),
    size: Buffer.byteLength(text),
    priority: notification.kind === 'webpush' ? notification.urgency : notification.priority,
  };
  try {
    return { ...facts, payload: device.receive(received) };
  } catch (error) {
    if (!(error instanceof NotificationRefused)) throw error;
    return { ...facts, refused: `${error.reason}: ${error.message}` };
  }
}

/** One line about a notification. */
export function arrivalText({ phone, received_at, payload, refused }: Arrival): string {
  const head = `${received_at.slice(11, 19)} ${phone}`;
  if (payload === undefined)
    return `${head}  ${styleText('red', terminalLine(`refused: ${refused}`))}`;
  return `${head}  ${terminalLine(payloadText(payload))}`;
}

function payloadText(payload: PushPayload): string {
  switch (payload.type) {
    case 'message': {
      const conversation =
        payload.recipient_type === 'channel'
          ? `#${payload.channel_name} > ${payload.topic}`
          : 'direct';
      return `message ${payload.message_id}, ${conversation}, ${payload.sender_full_name}: ${payload.content}`;
    }
    case 'remove':
      return `remove ${payload.message_ids.join(', ')}`;
    case 'test':
      return `test notification of ${payload.realm_name}`;
  }
}
