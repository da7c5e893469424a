import { type Client, createClient } from '@bellhop/client';
import { computed, signal } from '@preact/signals';

import { consoleFetch } from './console-fetch.ts';
import { setSessionKey, shareSessionKey } from './session-key.ts';

export interface Account {
  readonly user_id: number;
  readonly email: string;
  readonly full_name: string;
}

/** The accounts of this browser; undefined until the server has answered. */
export const accounts = signal<readonly Account[] | undefined>(undefined);

const CHOSEN = 'bellhop-console-account';
const chosen = signal(Number(sessionStorage.getItem(CHOSEN)));

/** The account that the page shows. */
export const account = computed(
  () => accounts.value?.find(({ user_id }) => user_id === chosen.value) ?? accounts.value?.[0],
);

export function chooseAccount(user_id: number): void {
  sessionStorage.setItem(CHOSEN, String(user_id));
  chosen.value = user_id;
}

/** A client of this server that acts as an account of the session. */
export const clientOf = (user_id?: number): Client =>
  createClient({ url: location.origin, fetch: consoleFetch(user_id) });

const { consoleSessions } = clientOf();

interface SignedIn {
  readonly console_key: string | null;
  readonly accounts: readonly Account[];
}

function admit({ console_key, accounts: all }: SignedIn): void {
  if (console_key !== null) setSessionKey(console_key);
  keep(all);
  announce();
}

/** Requests sent so far: the answer to an older one, perhaps with another key, comes too late. */
let asked = 0;
function keep(all: readonly Account[]): void {
  asked++;
  accounts.value = all;
}

/** Finds the session of this browser: of the link that was opened, of this tab or of another one. */
export async function startSession(): Promise<void> {
  const key = /^#key=(\w+)$/.exec(location.hash)?.[1];
  if (key !== undefined) history.replaceState(null, '', location.pathname + location.search);
  await shareSessionKey(() => void refresh());
  others.onmessage = () => void refresh();
  if (key === undefined) return refresh();
  await consoleSessions.redeem({ key }).then(admit, refresh);
}

const others = new BroadcastChannel('bellhop-console-accounts');
const announce = () => others.postMessage('changed');

/**
 * Repeats the request until the server answers: a failing server has not said that nobody is
 * signed in.
 */
async function refresh(): Promise<void> {
  const question = ++asked;
  const session = await consoleSessions
    .get({}, { retryPolicy: { retries: Infinity } })
    .catch(() => ({ accounts: [] }));
  if (question === asked) keep(session.accounts);
}

export async function signIn(username: string, password: string): Promise<void> {
  admit(await consoleSessions.signIn({ username, password }));
}

/** Signs out one account, or all. */
export async function signOut(user_id?: number): Promise<void> {
  const left = await consoleSessions.signOut(
    user_id === undefined ? {} : { user_id: user_id as never },
  );
  keep(left.accounts);
  if (left.accounts.length === 0) setSessionKey(null);
  announce();
}
