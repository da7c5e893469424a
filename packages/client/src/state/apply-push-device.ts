import type { EventOf, InitialState } from '@bellhop/protocol';

import { changed } from './state.ts';

/** A device's registration succeeded or failed. */
export const applyPushDevice = (state: InitialState, event: EventOf<'push_device'>): InitialState =>
  changed(state, 'push_devices', (devices) => ({
    ...devices,
    [event.push_account_id]: {
      status: event.status,
      error_code: event.status === 'failed' ? event.error_code : null,
    },
  }));
