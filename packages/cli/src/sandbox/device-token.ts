import type { DeviceToken } from '@bellhop/device';
import { needsAppId, type TokenKind, type WebPushKeys } from '@bellhop/protocol';
import { webPushKeysOf } from '@bellhop/push-simulator';

/** The app of the sandbox's phones; Apple's simulated key may send to it alone. */
export const APP_ID = 'org.bellhop.phone';

/** A device that the simulator has added. */
export interface SimulatedDevice {
  readonly token: string;
  readonly app_id?: string;
  /** The app that an Android phone names to the bouncer. */
  readonly android_app_id?: string | undefined;
  /** The keys of a browser. */
  readonly subscription?: WebPushKeys | null | undefined;
}

const deviceTokens: { [K in TokenKind]: (device: SimulatedDevice) => DeviceToken & { kind: K } } = {
  fcm: ({ token, android_app_id }) => ({ kind: 'fcm', token, androidAppId: android_app_id }),
  apns: ({ token, app_id = APP_ID }) => ({ kind: 'apns', token, iosAppId: app_id }),
  webpush({ token, subscription }) {
    if (!subscription) throw new Error('The simulated browser has no keys');
    return { kind: 'webpush', token, keys: webPushKeysOf(subscription) };
  },
};

/** The token that a phone or browser of the sandbox registers with. */
export const deviceToken = (kind: TokenKind, device: SimulatedDevice): DeviceToken =>
  deviceTokens[kind](device);

/** The data that the simulator needs to issue such a token. */
export const newDevice = (kind: TokenKind) => ({
  kind,
  ...(needsAppId(kind) ? { app_id: APP_ID } : {}),
});
