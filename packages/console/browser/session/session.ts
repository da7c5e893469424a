import type { Client } from '@bellhop/client';
import { createPlainClient } from '@bellhop/client/plain';
import { computed, signal } from '@preact/signals';

import { toast, toastError } from '../controls/toasts.tsx';
import { consoleFetch } from './console-fetch.ts';
import { onSessionKey, sessionKey, setSessionKey } from './session-key.ts';

export interface Account {
  readonly user_id: number;
  readonly email: string;
  readonly full_name: string;
}

/** The accounts of this browser; undefined until the server has answered. */
export const accounts = signal<readonly Account[] | undefined>(undefined);

const CHOSEN = 'bellhop-console-account';
/** Each tab has its choice; a new one begins with the last choice of all. */
const chosen = signal(
  Number(sessionStorage.getItem(CHOSEN) ?? localStorage.getItem(CHOSEN) ?? undefined),
);

/** The account that the page shows. */
export const account = computed(
  () => accounts.value?.find(({ user_id }) => user_id === chosen.value) ?? accounts.value?.[0],
);

export function chooseAccount(user_id: number): void {
  for (const storage of [sessionStorage, localStorage]) storage.setItem(CHOSEN, String(user_id));
  chosen.value = user_id;
}

/** A client of this server that acts as an account of the session. */
export function clientOf(user_id?: number): Client {
  const call = consoleFetch(user_id);
  return createPlainClient({
    url: location.origin,
    fetch: async (input, init) => {
      const response = await call(input, init);
      if (response.status === 401 && user_id !== undefined) void checkAccount(user_id);
      return response;
    },
  });
}

const { consoleSessions } = clientOf();

interface SignedIn {
  readonly console_key: string | null;
  readonly accounts: readonly Account[];
}

/** Takes the answer to a sign-in. Returns the accounts that were signed in before. */
function admit({ console_key, accounts: all }: SignedIn): readonly Account[] {
  const before = accounts.peek() ?? [];
  if (console_key !== null) setSessionKey(console_key);
  wasSignedOut.value = false;
  keep(all);
  announce();
  return before;
}

/** Switches to an account that was added to others. */
function switchTo({ user_id, full_name }: Account, more = 0): void {
  chooseAccount(user_id);
  const others = more === 0 ? '' : ` and ${more === 1 ? '1 other' : `${more} others`}`;
  toast(`Signed in as ${full_name}${others}.`);
}

/** Requests sent so far: the answer to an older one, perhaps with another key, comes too late. */
let asked = 0;
function keep(all: readonly Account[]): void {
  asked++;
  accounts.value = all;
}

/** Finds the session of this browser, and signs in by the link that is opened, now or later. */
export async function startSession(): Promise<void> {
  onSessionKey(() => void refresh());
  others.onmessage = () => void refresh();
  // A link to the path that the tab shows loads no page.
  addEventListener('hashchange', () => void redeemLink());
  if (sessionKey() !== null || !isSignInLink()) await refresh();
  await redeemLink();
}

const LINK = /^#key=(\w+)$/;
const isSignInLink = () => LINK.test(location.hash);

/** Swaps the key of a sign-in link for its accounts, and takes it out of the address. */
async function redeemLink(): Promise<void> {
  const key = LINK.exec(location.hash)?.[1];
  if (key === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    const answer = await consoleSessions.redeem({ key });
    const before = admit(answer);
    const isKnown = ({ user_id }: Account) => before.some((one) => one.user_id === user_id);
    const [added, ...more] = answer.accounts.filter((one) => !isKnown(one));
    if (before.length > 0 && added) switchTo(added, more.length);
  } catch (error) {
    toastError(error);
    if (accounts.peek() === undefined) await refresh();
  }
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

/** Whether the server ended the last session of the page, for which nobody asked here. */
export const wasSignedOut = signal(false);

const checks = new Map<number, Promise<void>>();

/** After the server has refused an account: asks who is still signed in, and says who no longer is. */
export function checkAccount(user_id: number): Promise<void> {
  const running = checks.get(user_id) ?? check(user_id).finally(() => checks.delete(user_id));
  checks.set(user_id, running);
  return running;
}

async function check(user_id: number): Promise<void> {
  const isHere = (one: Account) => one.user_id === user_id;
  const gone = accounts.peek()?.find(isHere);
  await refresh();
  const left = accounts.peek() ?? [];
  if (!gone || left.some(isHere)) return;
  wasSignedOut.value = left.length === 0;
  if (left.length > 0) toast(`${gone.full_name} was signed out.`);
}

export async function signIn(username: string, password: string): Promise<void> {
  const answer = await consoleSessions.signIn({ username, password });
  const before = admit(answer);
  // The one that has just signed in is the last.
  const added = answer.accounts.at(-1);
  if (before.length > 0 && added) switchTo(added);
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
