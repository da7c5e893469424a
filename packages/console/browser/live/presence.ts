import { sleep } from '@bellhop/client';
import type { QueuedEvent } from '@bellhop/protocol';

import { leadingTab } from './leading-tab.ts';
import type { LiveAccount } from './live-account.ts';

/** After this time without input a user is idle, though the page is open. */
const IDLE_MS = 5 * 60_000;
/** Other tabs hear of input at most this often. */
const SHARED_MS = 5000;
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'];

type Presences = Extract<QueuedEvent, { type: 'presence' }>['presences'];
type Said =
  | { readonly kind: 'input' }
  | { readonly kind: 'presences'; readonly presences: Presences };

/**
 * Tells the server every minute that the user is active, or idle, and takes the presence of the others
 * from its answers: events say only who comes. One tab tells it for all. With `presence_enabled` off it
 * tells nothing.
 */
export function keepPresence(account: LiveAccount): void {
  const { user_id, client, state, apply, stopped: signal } = account;
  let inputAt = Date.now();
  let isNew = true;
  let told: 'active' | 'idle' | undefined;
  let last_update_id = -1;

  const show = (presences: Presences) => apply({ type: 'presence', presences } as QueuedEvent);
  const ping = async () => {
    const { user_settings, realm_presence_disabled } = state.peek() ?? {};
    if (user_settings?.presence_enabled !== true || realm_presence_disabled === true) return;
    told = Date.now() - inputAt < IDLE_MS ? 'active' : 'idle';
    const params = { status: told, new_user_input: isNew, slim_presence: true, last_update_id };
    isNew = false;
    const answer = await client.presence.update(params, { signal });
    last_update_id = answer.presence_last_update_id ?? last_update_id;
    const presences = answer.presences as Presences;
    show(presences);
    tell({ kind: 'presences', presences });
  };
  // A lost ping has no effect: the next one repeats it.
  const tryPing = () => (signal.aborted ? undefined : ping().catch(() => undefined));
  const noteInput = () => {
    inputAt = Date.now();
    isNew = true;
    if (told === 'idle') void tryPing();
  };
  const shareInput = () => {
    if (isNew && Date.now() - inputAt < SHARED_MS) return;
    noteInput();
    tell({ kind: 'input' });
  };
  for (const input of INPUTS) addEventListener(input, shareInput, { signal, passive: true });

  const lead = async () => {
    const stop = state.subscribe((known) => {
      if (known && told === undefined) void tryPing();
    });
    signal.addEventListener('abort', stop);
    while (!signal.aborted) {
      const seconds = state.peek()?.server_presence_ping_interval_seconds ?? 60;
      await sleep(seconds * 1000, signal);
      await tryPing();
    }
  };
  const tell = leadingTab<Said>({
    name: `bellhop-presence-${user_id}`,
    signal,
    onMessage: (said) => {
      if (said.kind === 'input') noteInput();
      else show(said.presences);
    },
    lead,
  });
}
