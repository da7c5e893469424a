import type { UserId } from '@bellhop/protocol';
import { computed, signal } from '@preact/signals';

import { query } from '../navigation/location.ts';
import { account, accounts, checkAccount, clientOf } from '../session/session.ts';
import { type LiveAccount, openLiveAccount } from './live-account.ts';

const open = signal<ReadonlyMap<number, LiveAccount>>(new Map());

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

const liveOf = (id: number | undefined) => (id === undefined ? undefined : open.value.get(id));

function openAccount(id: number): LiveAccount {
  const opened = openLiveAccount(clientOf(id), id as UserId);
  opened.status.subscribe((status) => {
    if (status === 'ended') void checkAccount(id);
  });
  void import('./presence.ts').then(({ keepPresence }) => keepPresence(opened));
  return opened;
}

/** Opens the accounts that the page shows, and closes the others: each needs a connection. */
export function keepAccountsOpen(): void {
  const wanted = [account.value?.user_id, besideId.value].filter((id) => id !== undefined);
  const known = open.peek();
  for (const [id, live] of known) if (!wanted.includes(id)) live.stop();
  open.value = new Map(wanted.map((id) => [id, known.get(id) ?? openAccount(id)]));
}
