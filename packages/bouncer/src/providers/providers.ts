import type { TokenKind } from '@bellhop/protocol/bouncer';

import { apns } from './apns/apns.ts';
import { fcm } from './fcm/fcm.ts';
import type { Provider } from './provider.ts';
import { webpush } from './webpush/webpush.ts';

export type Providers = { readonly [K in TokenKind]: Provider<K> };

/** The push provider of each kind of token. Code that differs by provider belongs in its entry. */
export const providers: Providers = { apns, fcm, webpush };
