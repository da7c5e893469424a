import { foldCase, type QueuedEvent } from '@bellhop/protocol';
import { useEffect, useMemo } from 'preact/hooks';

import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
import { nameOfUser } from './names.ts';
import { noticed } from './noticed.ts';
import type { View } from './view.ts';

type TypingEvent = Extract<QueuedEvent, { type: 'typing' }>;

interface TypingLineProps {
  readonly account: LiveAccount;
  readonly view: View;
}

/**
 * The users who type in the conversation now. A user whose notice is not repeated in time has
 * stopped.
 */
export function TypingLine({ account, view }: TypingLineProps) {
  const typists = useMemo(() => noticed(account), [account, JSON.stringify(view)]);
  useEffect(() => {
    const stop = account.onEvent((event) => {
      if (event.type === 'message') typists.remove(event.message.sender_id);
      if (event.type !== 'typing' || !isHere(event, view, account.user_id)) return;
      const { user_id } = event.sender;
      if (event.op === 'stop' || user_id === account.user_id) typists.remove(user_id);
      else typists.add(user_id);
    });
    return () => {
      stop();
      typists.clear();
    };
  }, [typists]);
  const state = account.state.value;
  const isWanted = userSetting(account, 'receives_typing_notifications');
  const shown = isWanted ? typists.ids.value : [];
  const names = shown.map((id) => (state ? nameOfUser(state, id) : ''));
  return (
    <div class="typing-line" role="status">
      {names.length > 0 && (
        <>
          <Dots />
          {names.join(', ')} {names.length === 1 ? 'is' : 'are'} typing
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
      (view.kind === 'channel' || foldCase(event.topic) === foldCase(view.topic))
    );
  if (view.kind !== 'direct') return false;
  const people = new Set([...view.users, self]);
  return (
    event.recipients.length === people.size &&
    event.recipients.every(({ user_id }) => people.has(user_id))
  );
}

export const Dots = () => (
  <span class="dots" aria-hidden="true">
    <i />
    <i />
    <i />
  </span>
);
