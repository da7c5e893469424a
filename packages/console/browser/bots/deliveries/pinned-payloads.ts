import { type StoredList, storedList } from './stored-list.ts';

const MAX_PINS = 20;
const lists = new Map<number, StoredList>();

/** The payloads that a user has pinned in this browser. */
export function pinnedPayloads(user_id: number): StoredList {
  const known = lists.get(user_id) ?? storedList(`bellhop-pinned-payloads-${user_id}`, MAX_PINS);
  lists.set(user_id, known);
  return known;
}
