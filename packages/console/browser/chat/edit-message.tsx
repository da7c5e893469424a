import type { FetchedMessage } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
import { isSendKey } from './compose/send-key.ts';
import { editNotice } from './compose/typing-notice.ts';
import { focusMessage } from './focus-message.ts';

interface EditMessageProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
  readonly onClose: () => void;
}

/** The field in place of a message that is being edited. */
export function EditMessage({ account, message, onClose }: EditMessageProps) {
  const { client } = account;
  const notice = useMemo(() => editNotice(account, message), []);
  const text = useSignal<string | undefined>(undefined);
  const original = useSignal('');
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const editing = form.current;
    return () => {
      const { activeElement: focused, body } = document;
      // The field may be gone already, or the user has gone on to something else.
      if (focused !== body && editing?.contains(focused) !== true) return;
      // The button that began the edit is not there while the message is edited.
      if (before instanceof HTMLElement && before.isConnected && before !== body) before.focus();
      else focusMessage(message.id);
    };
  }, []);
  useEffect(() => {
    client.messages.fetchOne({ message_id: message.id }).then(
      ({ raw_content }) => {
        text.value = raw_content;
        original.value = raw_content;
        notice.typed();
      },
      (problem: unknown) => (error.value = problem),
    );
    return notice.stopped;
  }, []);
  const save = async () => {
    const content = text.peek();
    if (content === undefined || isBusy.peek()) return;
    if (content === original.peek()) return onClose();
    isBusy.value = true;
    try {
      const hash = await sha256(original.peek());
      await client.messages.edit({ message_id: message.id, content, ...hash });
      onClose();
    } catch (problem) {
      error.value = problem;
      isBusy.value = false;
    }
  };
  return (
    <form
      ref={form}
      class="edit-message"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        class="input"
        aria-label="Edit message"
        autofocus
        value={text.value ?? ''}
        disabled={text.value === undefined}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          notice.typed();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          else if (isSendKey(event, userSetting(account, 'enter_sends'))) {
            event.preventDefault();
            void save();
          }
        }}
        ref={(field) => {
          if (field && text.peek() !== undefined && document.activeElement !== field) field.focus();
        }}
      />
      <ErrorNotice error={error.value} />
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isBusy.value}>
          Save
        </Button>
      </div>
    </form>
  );
}

/** The digest by which the server detects a concurrent edit; on secure pages only. */
async function sha256(content: string): Promise<{ prev_content_sha256?: string }> {
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (!subtle) return {};
  const bytes = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(content)));
  const prev_content_sha256 = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
  return { prev_content_sha256 };
}
