import type { Resource } from '../../engine/call.ts';

export const fetchMessages: Resource<'messages'>['fetch'] = () =>
  Promise.reject(new Error('not there yet'));
