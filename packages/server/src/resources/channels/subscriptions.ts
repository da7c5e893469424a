import type { Resource } from '../../engine/call.ts';

export const subscriptions: Resource<'subscriptions'> = {
  add: () => Promise.reject(new Error('not there yet')),
  list: () => Promise.reject(new Error('not there yet')),
};
