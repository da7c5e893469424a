import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { Button, IconButton } from '../../controls/button.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { toastError } from '../../controls/toasts.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { userSetting } from '../../live/user-setting.ts';
import { modKey, useListedKeys } from '../../navigation/keys.ts';
import { Lazy } from '../../shell/lazy.tsx';
import { titleOf } from '../names.ts';
import type { View } from '../view.ts';
import { CompletingField } from './completing-field.tsx';
import { focusComposer, wantComposer } from './composer-focus.ts';
import { type Destination, destinationOf, viewOfDestination } from './destination.ts';
import { insertInto, useInsertion } from './insertion.ts';
import { outboxOf } from './outbox.ts';
import { Preview } from './preview.tsx';
import { syncedDraft } from './synced-draft.ts';
import { topicRuleOf } from './topic-rule.ts';
import { typingNotice } from './typing-notice.ts';

import './composer.css';

const loadTools = async () => (await import('./composer-tools.tsx')).ComposerTools;

/** The share of the longest text from which on the field counts. */
const NEAR_LIMIT = 0.8;

interface ComposerProps {
  readonly account: LiveAccount;
  readonly view: View;
  /** The topic of a message to a channel as a whole. */
  readonly topic: Signal<string>;
  /** Where the conversation goes: the text goes along. */
  readonly movedTo: ReadonlySignal<View | undefined> | undefined;
  /** Called for Up in an empty field. */
  readonly onUp: () => void;
  /** Called when a message has left the field. */
  readonly onSent: () => void;
}

/** The field to write a message to the conversation of the view. */
export function Composer({ account, view, topic, movedTo, onUp, onSent }: ComposerProps) {
  const to = destinationOf(view, topic.value);
  const state = account.state.value;
  if (!to || !state) return null;
  const rule = view.kind === 'channel' ? topicRuleOf(state, view.channel) : 'none';
  return (
    <div class="composer">
      {rule !== 'none' && (
        <input
          class="input"
          data-topic
          aria-label="Topic"
          placeholder={rule === 'required' ? 'Topic (required here)' : 'New topic'}
          maxLength={60}
          value={topic.value}
          onInput={({ currentTarget }) => (topic.value = currentTarget.value)}
          onKeyDown={(event) => {
            if (event.isComposing) return;
            if (event.key === 'Enter') focusComposer();
            else if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
      )}
      <MessageField
        key={view.kind}
        account={account}
        to={to}
        lacksTopic={rule === 'required' && topic.value.trim() === ''}
        movedTo={movedTo}
        onUp={onUp}
        onSent={onSent}
      />
    </div>
  );
}

/** Lists the keys of the field, which handles them itself. */
function useWritingKeys(enterSends: boolean): void {
  useListedKeys('Writing', [
    { keys: enterSends ? 'Enter' : '$mod+Enter', label: 'Send' },
    { keys: enterSends ? 'Shift+Enter' : 'Enter', label: 'New line' },
    { keys: 'ArrowUp', label: 'Edit your last message, in an empty message box' },
    { keys: 'Escape', label: 'Leave the message box' },
  ]);
}

interface MessageFieldProps extends Omit<ComposerProps, 'view' | 'topic'> {
  readonly to: Destination;
  /** Whether the channel takes no message without a topic, and there is none yet. */
  readonly lacksTopic: boolean;
}

function MessageField({ account, to, lacksTopic, movedTo, onUp, onSent }: MessageFieldProps) {
  const enterSends = userSetting(account, 'enter_sends');
  useWritingKeys(enterSends);
  const key = JSON.stringify(to);
  const draft = useMemo(() => syncedDraft(account, to), [key]);
  const notice = useMemo(() => typingNotice(account, to), [key]);
  const text = useSignal(draft.initial);
  const error = useSignal<unknown>(undefined);
  const isPreview = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const place = useRef({ draft, notice });
  useEffect(() => {
    const { current: before } = place;
    place.current = { draft, notice };
    if (before.draft === draft) return;
    // Another topic: the text goes along.
    before.notice.stopped();
    before.draft.moved();
    if (text.peek() !== '') draft.changed(text.peek());
  }, [draft, notice]);
  useEffect(
    () => () => {
      place.current.notice.stopped();
      place.current.draft.leave();
    },
    [],
  );
  const change = (content: string) => {
    text.value = content;
    draft.changed(content);
    if (content.trim() === '') notice.stopped();
    else notice.typed();
  };
  const insert = (added: string) => {
    const { value: written } = text;
    isPreview.value = false;
    change(written.trim() === '' ? added : `${written.trimEnd()}\n\n${added}`);
    form.current?.querySelector<HTMLElement>('[data-composer]')?.focus();
  };
  /** The text has left the field. */
  const leave = () => {
    error.value = undefined;
    notice.stopped();
    text.value = '';
    isPreview.value = false;
    draft.sent();
  };
  useEffect(
    () =>
      movedTo?.subscribe((view) => {
        const there = view && destinationOf(view, '');
        const written = text.peek();
        if (!there) return;
        if (form.current?.contains(document.activeElement)) wantComposer();
        if (written.trim() === '') return;
        leave();
        insertInto(account, there, written);
      }),
    [movedTo],
  );
  useInsertion(account, to, insert);
  const state = account.state.value;
  if (!state) return null;
  const { max_message_length: limit = Infinity } = state;
  const isEmpty = text.value.trim() === '';
  const count = charactersOf(text.value);
  const send = () => {
    const content = text.peek();
    if (content.trim() === '' || charactersOf(content) > limit) return;
    if (lacksTopic) {
      error.value = new Error('Write a topic above: this channel takes no message without one.');
      return;
    }
    outboxOf(account).send(to, content);
    leave();
    onSent();
  };
  const attach = (list: FileList | null | undefined) => {
    for (const file of list ?? [])
      void uploadInto(account, file, {
        read: () => text.peek(),
        write: change,
        fail: (problem) => (error.value = problem),
      });
  };
  const label = `Message ${titleOf(state, viewOfDestination(to), account.user_id)}`;
  return (
    <form
      ref={form}
      class="composer-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        attach(event.dataTransfer?.files);
      }}
    >
      <ErrorNotice error={error.value} />
      {isPreview.value ? (
        <Preview account={account} content={text.value} />
      ) : (
        <CompletingField
          state={state}
          label={label}
          value={text.value}
          onChange={change}
          enterSends={enterSends}
          onSend={send}
          onUp={onUp}
          onFiles={attach}
        />
      )}
      <div class="row">
        <IconButton icon="paperclip" label="Attach files" onClick={() => files.current?.click()} />
        <input
          ref={files}
          type="file"
          multiple
          hidden
          onChange={({ currentTarget }) => {
            attach(currentTarget.files);
            currentTarget.value = '';
          }}
        />
        <IconButton
          icon="eye"
          label="Preview"
          aria-pressed={isPreview.value}
          disabled={isEmpty}
          onClick={() => (isPreview.value = !isPreview.value)}
        />
        <Lazy
          load={loadTools}
          props={{
            account,
            to,
            content: text.value,
            maySend: !isEmpty && !lacksTopic && count <= limit,
            onChoose: insert,
            onScheduled: leave,
          }}
        />
        <span class="grow" />
        {count > limit * NEAR_LIMIT && (
          <span class={count > limit ? 'length over' : 'length'} role="status">
            {count.toLocaleString('en')} of {limit.toLocaleString('en')} characters
          </span>
        )}
        <button
          type="button"
          class="send-key"
          title={`Press to send by ${enterSends ? `${modKey}+Enter` : 'Enter'} instead`}
          onClick={() =>
            void account.client.settings.update({ enter_sends: !enterSends }).catch(toastError)
          }
        >
          {enterSends ? 'Enter sends' : `${modKey} Enter sends`}
        </button>
        <Button
          kind="primary"
          type="submit"
          icon="send-horizontal"
          disabled={isEmpty || count > limit}
        >
          Send
        </Button>
      </div>
    </form>
  );
}

interface Field {
  readonly read: () => string;
  readonly write: (text: string) => void;
  readonly fail: (error: unknown) => void;
}

/** The length as the server counts it: an emoji is one character. */
const charactersOf = (text: string): number => Array.from(text).length;

/** Uploads a file. The text shows a placeholder, which becomes the link after the upload. */
async function uploadInto(account: LiveAccount, file: File, field: Field): Promise<void> {
  const waiting = `[${`Uploading ${plain(file.name)}…`}]()`;
  const replace = (text: string) => field.write(field.read().replace(waiting, () => text));
  field.write(`${field.read()}${field.read() === '' ? '' : '\n'}${waiting}`);
  try {
    const { url, filename } = await account.client.uploads.create({}, { file });
    replace(`[${plain(filename)}](${url})`);
  } catch (error) {
    replace('');
    field.fail(error);
  }
}

/** A file name as the text of a link. */
const plain = (name: string) => name.replace(/[[\]\n]/g, ' ');
