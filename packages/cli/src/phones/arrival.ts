import { styleText } from 'node:util';

import { terminalLine } from '@bellhop/bot-cli/command-line';
import { type Device, type DeviceIdentity, NotificationRefused } from '@bellhop/device';
import { type PushArrival } from '@bellhop/protocol';
import { appDataOf, type Notification } from '@bellhop/push-simulator';
import { arrivalText } from '@bellhop/push-trace';

/** Passes a notification to the phone. */
export function arrivalOf(
  phone: string,
  device: Device<DeviceIdentity>,
  notification: Notification,
): PushArrival {
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
export function arrivalLine(arrival: PushArrival): string {
  const { phone, received_at, payload } = arrival;
  const text = terminalLine(arrivalText(arrival));
  return `${received_at.slice(11, 19)} ${phone}  ${payload ? text : styleText('red', text)}`;
}
