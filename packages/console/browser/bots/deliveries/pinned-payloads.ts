import { type StoredList, storedList } from '../../records/stored-list.ts';

const MAX_PINS = 20;

/** The payloads that a user has pinned in this browser. */
export const pinnedPayloads = (user_id: number): StoredList =>
  storedList(`bellhop-pinned-payloads-${user_id}`, MAX_PINS);
