import { styleText } from 'node:util';

import { type Device, NotificationRefused } from '@bellhop/device';
import type { PushArrival, PushPayload } from '@bellhop/protocol';
import { appDataOf, type Notification } from '@bellhop/push-simulator';

import { terminalLine } from '../command-line/terminal-text.ts';

/** Hands a notification to the phone. */
export function arrivalOf(phone: string, device: Device, notification: Notification): PushArrival {
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
export function arrivalText({ phone, received_at, payload, refused }: PushArrival): string {
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
