import { ApiError, type FetchedMessage, type QueuedEvent } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { Icon } from '../controls/icon.tsx';
import { toast } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
import { destinationOf } from './compose/destination.ts';
import { insertInto } from './compose/insertion.ts';
import { isSendKey } from './compose/send-key.ts';
import { editNotice } from './compose/typing-notice.ts';
import { focusMessage } from './focus-message.ts';
import { viewOfMessage } from './recipient-head.tsx';

interface EditMessageProps {
  readonly account: LiveAccount;
  readonly message: FetchedMessage;
  readonly onClose: () => void;
}

interface Written {
  /** What the message was when the edit began. */
  readonly original: string;
  readonly text: string;
}
/** What was written into the fields of messages, by user and message: a field goes when it is scrolled out of sight. */
const written = new Map<string, Written>();

/** The field in place of a message that is being edited. */
export function EditMessage({ account, message, onClose }: EditMessageProps) {
  const { client, user_id } = account;
  const key = `${user_id} ${message.id}`;
  const notice = useMemo(() => editNotice(account, message), []);
  const text = useSignal(written.get(key)?.text);
  const original = useSignal(written.get(key)?.original ?? '');
  /** What the message became while it was edited here. */
  const theirs = useSignal<string | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const isGone = useRef(false);
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
  const fetchText = async () =>
    (await client.messages.fetchOne({ message_id: message.id })).raw_content;
  useEffect(() => {
    if (text.peek() === undefined)
      fetchText().then(
        (raw_content) => {
          text.value = raw_content;
          original.value = raw_content;
          notice.typed();
        },
        (problem: unknown) => (error.value = problem),
      );
    else notice.typed();
    return () => {
      if (!isGone.current) notice.stopped();
    };
  }, []);
  useEffect(
    () =>
      account.onEvent((event) => {
        if (!deletes(event, message.id)) return;
        isGone.current = true;
        const unsaved = written.get(key);
        if (!unsaved) return;
        written.delete(key);
        const to = destinationOf(viewOfMessage(message, user_id), message.subject);
        if (!to) return;
        insertInto(account, to, unsaved.text);
        toast('The message was deleted. Your text is in the message box.');
      }),
    [],
  );
  const close = () => {
    written.delete(key);
    onClose();
  };
  const save = async () => {
    const content = text.peek();
    if (content === undefined || isBusy.peek()) return;
    if (content === original.peek()) return close();
    isBusy.value = true;
    error.value = undefined;
    try {
      const hash = await sha256(original.peek());
      await client.messages.edit({ message_id: message.id, content, ...hash });
      close();
    } catch (problem) {
      await explain(problem).catch((failed: unknown) => (error.value = failed));
      isBusy.value = false;
    }
  };
  /** Shows what stands against the edit. After a change of the message the next one replaces that. */
  const explain = async (problem: unknown) => {
    if (!(problem instanceof ApiError) || problem.code !== 'EXPECTATION_MISMATCH') throw problem;
    const now = await fetchText();
    original.value = now;
    theirs.value = now;
    written.set(key, { original: now, text: text.peek() ?? '' });
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
          written.set(key, { original: original.peek(), text: currentTarget.value });
          notice.typed();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
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
      {theirs.value !== undefined && (
        <div class="notice" role="alert">
          <Icon name="circle-alert" />
          <div class="grow">
            The message was changed in the meantime. It is now:
            <blockquote>{theirs.value}</blockquote>
            Save puts your text in its place.
          </div>
        </div>
      )}
      <div class="actions">
        <Button onClick={close}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isBusy.value}>
          Save
        </Button>
      </div>
    </form>
  );
}

const deletes = (event: QueuedEvent, id: number): boolean =>
  event.type === 'delete_message' &&
  ('message_ids' in event ? event.message_ids.some((one) => one === id) : event.message_id === id);

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
