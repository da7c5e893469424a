import type { Resource } from '../../engine/call.ts';

export const bots: Resource<'bots'> = {
  create: () => Promise.reject(new Error('not there yet')),
  list: () => Promise.reject(new Error('not there yet')),
};
