import { useSignal } from '@preact/signals';

import { Button } from '../controls/button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { titleOf } from './names.ts';
import { strings } from './strings.ts';
import type { View } from './view.ts';

interface ComposerProps {
  readonly account: LiveAccount;
  readonly view: View;
}

/** The field to write a message to the conversation of the view. */
export function Composer({ account, view }: ComposerProps) {
  const text = useSignal('');
  const error = useSignal<unknown>(undefined);
  const isSending = useSignal(false);
  const state = account.state.value;
  if (!state || (view.kind !== 'topic' && view.kind !== 'direct')) return null;
  const send = async () => {
    const content = text.peek();
    if (content.trim() === '' || isSending.peek()) return;
    isSending.value = true;
    error.value = undefined;
    const to =
      view.kind === 'topic'
        ? { type: 'channel' as const, to: view.channel, topic: view.topic }
        : { type: 'direct' as const, to: [...view.users] };
    try {
      await account.client.messages.send({ ...to, content, read_by_sender: true });
      text.value = '';
    } catch (problem) {
      error.value = problem;
    } finally {
      isSending.value = false;
    }
  };
  const label = strings.write(titleOf(state, view, account.user_id));
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <ErrorNotice error={error.value} />
      <textarea
        class="input"
        rows={2}
        aria-label={label}
        placeholder={label}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      <div class="row">
        <span class="grow" />
        <Button kind="primary" type="submit" icon="send-horizontal" isBusy={isSending.value}>
          {strings.send}
        </Button>
      </div>
    </form>
  );
}
