import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { Button, IconButton } from '../../controls/button.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { titleOf } from '../names.ts';
import type { View } from '../view.ts';
import { CompletingField } from './completing-field.tsx';
import { type Destination, destinationOf } from './destination.ts';
import { outboxOf } from './outbox.ts';
import { Preview } from './preview.tsx';
import { syncedDraft } from './synced-draft.ts';
import { typingNotice } from './typing-notice.ts';

import './composer.css';

/** The share of the longest text from which on the field counts. */
const NEAR_LIMIT = 0.8;

interface ComposerProps {
  readonly account: LiveAccount;
  readonly view: View;
  /** Called when a message has left the field. */
  readonly onSent: () => void;
}

/** The field to write a message to the conversation of the view. */
export function Composer({ account, view, onSent }: ComposerProps) {
  const topic = useSignal('');
  const to = destinationOf(view, topic.value);
  if (!to) return null;
  return (
    <div class="composer">
      {view.kind === 'channel' && (
        <input
          class="input"
          aria-label="Topic"
          placeholder="New topic"
          maxLength={60}
          value={topic.value}
          onInput={({ currentTarget }) => (topic.value = currentTarget.value)}
        />
      )}
      <MessageField key={view.kind} account={account} view={view} to={to} onSent={onSent} />
    </div>
  );
}

function MessageField(props: ComposerProps & { readonly to: Destination }) {
  const { account, view, to, onSent } = props;
  const place = JSON.stringify(to);
  const draft = useMemo(() => syncedDraft(account, to), [place]);
  const notice = useMemo(() => typingNotice(account, to), [place]);
  const text = useSignal(draft.initial);
  const error = useSignal<unknown>(undefined);
  const isPreview = useSignal(false);
  const files = useRef<HTMLInputElement>(null);
  useEffect(
    () => () => {
      notice.stopped();
      draft.leave();
    },
    [draft, notice],
  );
  const state = account.state.value;
  if (!state) return null;
  const { max_message_length: limit = Infinity } = state;
  const count = charactersOf(text.value);
  const change = (content: string) => {
    text.value = content;
    draft.changed(content);
    if (content.trim() === '') notice.stopped();
    else notice.typed();
  };
  const send = () => {
    const content = text.peek();
    if (content.trim() === '' || charactersOf(content) > limit) return;
    error.value = undefined;
    notice.stopped();
    outboxOf(account).send(to, content);
    text.value = '';
    isPreview.value = false;
    draft.sent();
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
  const label = `Message ${titleOf(state, view, account.user_id)}`;
  return (
    <form
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
          onSend={send}
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
          disabled={text.value.trim() === ''}
          onClick={() => (isPreview.value = !isPreview.value)}
        />
        <span class="grow" />
        {count > limit * NEAR_LIMIT && (
          <span class={count > limit ? 'length over' : 'length'} role="status">
            {count.toLocaleString('en')} of {limit.toLocaleString('en')} characters
          </span>
        )}
        <Button
          kind="primary"
          type="submit"
          icon="send-horizontal"
          disabled={text.value.trim() === '' || count > limit}
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
