import { type Client, type Registration, sleep } from '@bellhop/client';
import type { QueuedEvent, UserId } from '@bellhop/protocol';
import type { ReadonlySignal } from '@preact/signals';

/** After this time without input a user is idle, though the page is open. */
const IDLE_MS = 5 * 60_000;
/** Other tabs hear of input at most this often. */
const SHARED_MS = 5000;
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'];

type Presences = Extract<QueuedEvent, { type: 'presence' }>['presences'];
type Said =
  | { readonly kind: 'input' }
  | { readonly kind: 'presences'; readonly presences: Presences };

/** The parts of an account by which a page tells the server that its user is there. */
interface Account {
  readonly user_id: UserId;
  readonly client: Client;
  readonly state: ReadonlySignal<Registration | undefined>;
}
interface Keeping {
  readonly signal: AbortSignal;
  /** Changes the state of the account. */
  readonly apply: (event: QueuedEvent) => void;
}

/**
 * Tells the server every minute that the user is active, or idle, and takes the presence of the others
 * from its answers: events say only who comes. One tab tells it for all. With `presence_enabled` off it
 * tells nothing.
 */
export function keepPresence(
  { user_id, client, state }: Account,
  { signal, apply }: Keeping,
): void {
  const name = `bellhop-presence-${user_id}`;
  const channel = new BroadcastChannel(name);
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
    channel.postMessage({ kind: 'presences', presences } satisfies Said);
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
    channel.postMessage({ kind: 'input' } satisfies Said);
  };
  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.kind === 'input') noteInput();
    else show(data.presences);
  };
  for (const input of INPUTS) addEventListener(input, shareInput, { signal, passive: true });
  signal.addEventListener('abort', () => channel.close());

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
  // Only pages of https and of localhost have locks: elsewhere each tab reports for itself.
  const locks = navigator.locks as LockManager | undefined;
  const led = locks ? locks.request(name, { signal }, lead) : lead();
  led.catch((error: unknown) => {
    if (!signal.aborted) reportError(error);
  });
}
