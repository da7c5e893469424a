import type { Resource } from '../../engine/call.ts';

export const channels: Resource<'channels'> = {
  list: () => Promise.reject(new Error('not there yet')),
  id: () => Promise.reject(new Error('not there yet')),
};
