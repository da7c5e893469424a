import type { Bouncer } from '@bellhop/protocol/bouncer';

import type { HandlersOf } from '../app.ts';
import { legacyPush } from './legacy-push.ts';
import { notify } from './notify.ts';
import { register } from './register-device.ts';

/** Registers devices and sends notifications to them. */
export const push: HandlersOf<Bouncer['push']> = { register, notify, ...legacyPush };
