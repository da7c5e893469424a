import type { BouncerV1 } from '@bellhop/protocol/bouncer';

import type { HandlersOf } from '../app.ts';
import { sendPushes } from './send-pushes.ts';

/** Notifications. */
export const pushes: HandlersOf<BouncerV1['pushes']> = {
  async send(call) {
    const { outcomes } = await sendPushes(call);
    return { outcomes: [...outcomes] };
  },
};
