import type { FetchedMessage } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { editNotice } from './compose/typing-notice.ts';

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
          else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
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
