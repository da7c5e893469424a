import type { Resource } from '../../engine/call.ts';

export const fetchOne: Resource<'messages'>['fetchOne'] = () =>
  Promise.reject(new Error('not there yet'));
