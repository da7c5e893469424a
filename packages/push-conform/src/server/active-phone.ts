import type { TokenKind } from '../simulator-control.ts';
import { activeAccount } from './account-phone.ts';
import type { AppOnPhone } from './app-on-phone.ts';
import { activeDevice } from './device-phone.ts';
import type { ServerTarget } from './server-target.ts';

/** A phone, of the generation that is checked, that the bouncer has accepted. */
export const activePhone = (target: ServerTarget, kind: TokenKind): Promise<AppOnPhone> =>
  target.generation === 'account' ? activeAccount(target, kind) : activeDevice(target, kind);
