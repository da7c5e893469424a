import type { DeviceToken } from '@bellhop/device';
import { needsAppId, type TokenKind } from '@bellhop/protocol';

/** The app of the sandbox's phones; Apple's simulated key may send to it alone. */
export const APP_ID = 'org.bellhop.phone';

const deviceTokens: { [K in TokenKind]: (token: string) => DeviceToken & { kind: K } } = {
  fcm: (token) => ({ kind: 'fcm', token }),
  apns: (token) => ({ kind: 'apns', token, iosAppId: APP_ID }),
};

/** What a phone of the sandbox registers with, for a token that the simulator has issued. */
export const deviceToken = (kind: TokenKind, token: string): DeviceToken =>
  deviceTokens[kind](token);

/** What the simulator needs to know to issue such a token. */
export const newDevice = (kind: TokenKind) => ({
  kind,
  ...(needsAppId(kind) ? { app_id: APP_ID } : {}),
});
