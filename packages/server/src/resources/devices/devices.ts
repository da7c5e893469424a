import type { Resource } from '../../engine/call.ts';

export const devices: Resource<'devices'> = {
  registerPush: () => Promise.reject(new Error('not there yet')),
  testNotification: () => Promise.reject(new Error('not there yet')),
};
