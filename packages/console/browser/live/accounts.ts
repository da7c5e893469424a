import { computed, signal } from '@preact/signals';

import { query } from '../navigation/location.ts';
import { account, accounts } from '../session/session.ts';
import { type LiveAccount, openLiveAccount } from './live-account.ts';

const open = new Map<number, LiveAccount>();
const opened = signal(0);

/** The second account, which the page shows beside the first: `?beside=ID`. */
export const besideId = computed(() => {
  const id = Number(query.value['beside']);
  return accounts.value?.some(({ user_id }) => user_id === id) && id !== account.value?.user_id
    ? id
    : undefined;
});

/** The account that the page shows, live. */
export const current = computed(() => liveOf(account.value?.user_id));
export const beside = computed(() => liveOf(besideId.value));

const liveOf = (id: number | undefined) => {
  void opened.value;
  return id === undefined ? undefined : open.get(id);
};

/** Opens the accounts that the page shows, and closes the others: each needs a connection. */
export function keepAccountsOpen(): void {
  const wanted = [account.value?.user_id, besideId.value].filter((id) => id !== undefined);
  for (const [id, live] of open)
    if (!wanted.includes(id)) {
      live.stop();
      open.delete(id);
    }
  const added = wanted.filter((id) => !open.has(id));
  for (const id of added) open.set(id, openLiveAccount(id));
  if (added.length > 0) opened.value = opened.peek() + 1;
}
