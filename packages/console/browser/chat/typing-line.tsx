import type { QueuedEvent } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { LiveAccount } from '../live/live-account.ts';
import { nameOfUser } from './names.ts';
import { strings } from './strings.ts';
import type { View } from './view.ts';

type TypingEvent = Extract<QueuedEvent, { type: 'typing' }>;

interface TypingLineProps {
  readonly account: LiveAccount;
  readonly view: View;
}

/** Who types in the conversation now. Somebody whose notice is not repeated in time has stopped. */
export function TypingLine({ account, view }: TypingLineProps) {
  const typists = useSignal<readonly number[]>([]);
  useEffect(() => {
    const timers = new Map<number, ReturnType<typeof setTimeout>>();
    const stop = (id: number) => {
      clearTimeout(timers.get(id));
      timers.delete(id);
      typists.value = [...timers.keys()];
    };
    const unlisten = account.onEvent((event) => {
      if (event.type === 'message') stop(event.message.sender_id);
      if (event.type !== 'typing' || !isHere(event, view, account.user_id)) return;
      const { user_id } = event.sender;
      stop(user_id);
      if (event.op === 'stop' || user_id === account.user_id) return;
      const state = account.state.peek();
      const expiry = state?.server_typing_started_expiry_period_milliseconds ?? 15_000;
      timers.set(
        user_id,
        setTimeout(() => stop(user_id), expiry),
      );
      typists.value = [...timers.keys()];
    });
    return () => {
      unlisten();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, [account, JSON.stringify(view)]);
  const state = account.state.value;
  const names = typists.value.map((id) => (state ? nameOfUser(state, id) : ''));
  return (
    <div class="typing-line" role="status">
      {names.length > 0 && (
        <>
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {strings.typing(names.join(', '), names.length)}
        </>
      )}
    </div>
  );
}

function isHere(event: TypingEvent, view: View, self: number): boolean {
  if (event.message_type === 'stream')
    return (
      (view.kind === 'topic' || view.kind === 'channel') &&
      event.stream_id === view.channel &&
      (view.kind === 'channel' || event.topic.toLowerCase() === view.topic.toLowerCase())
    );
  if (view.kind !== 'direct') return false;
  const people = new Set([...view.users, self]);
  return (
    event.recipients.length === people.size &&
    event.recipients.every(({ user_id }) => people.has(user_id))
  );
}
