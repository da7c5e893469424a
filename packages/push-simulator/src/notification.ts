/**
 * A notification as the app on an iPhone receives it: the JSON body, and the headers that Apple
 * acted on.
 */
export interface ApnsNotification {
  kind: 'apns';
  /** Counts up per device, from 1. */
  seq: number;
  token: string;
  /** When the phone received it, Unix time in milliseconds. */
  received_at: number;
  apns_id: string;
  topic: string;
  push_type: string;
  priority: number;
  collapse_id: string | null;
  payload: Record<string, unknown>;
  /** The text of the payload, which keeps 64-bit integers exact; `payload` does not. */
  body: string;
}

/** A notification as an Android app receives it: a map of strings. */
export interface FcmNotification {
  kind: 'fcm';
  /** Counts up per device, from 1. */
  seq: number;
  token: string;
  /** When the phone received it, Unix time in milliseconds. */
  received_at: number;
  message_id: string;
  priority: 'high' | 'normal';
  collapse_key: string | null;
  data: Record<string, string>;
}

/** A notification as a browser receives it, decrypted: the `data` of its push event. */
export interface WebPushNotification {
  kind: 'webpush';
  /** Counts up per device, from 1. */
  seq: number;
  token: string;
  /** When the browser received it, Unix time in milliseconds. */
  received_at: number;
  message_id: string;
  ttl: number;
  urgency: string;
  topic: string | null;
  /** The text of the data. */
  body: string;
}

export type Notification = ApnsNotification | FcmNotification | WebPushNotification;

/** A notification that a provider has accepted and not delivered yet. */
export interface AcceptedNotification {
  content:
    | Omit<ApnsNotification, 'seq' | 'received_at'>
    | Omit<FcmNotification, 'seq' | 'received_at'>
    | Omit<WebPushNotification, 'seq' | 'received_at'>;
  /** Unix time in milliseconds until which the provider keeps it; 0 = not kept. */
  expires_at: number;
}

/** The data that the provider delivers to the app. */
export interface AppData {
  /** The text of an APNs body or of a push event, or the data of an FCM message. */
  readonly received: string | Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function appDataOf(notification: Notification): AppData {
  switch (notification.kind) {
    case 'apns':
      return { received: notification.body, fields: notification.payload };
    case 'fcm':
      return { received: notification.data, fields: notification.data };
    case 'webpush':
      return { received: notification.body, fields: fieldsOf(notification.body) };
  }
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
