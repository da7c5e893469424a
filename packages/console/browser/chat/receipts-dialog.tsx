import { Avatar } from '../controls/avatar.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { useResource } from '../loading/use-resource.ts';
import { Loading } from '../shell/part-view.tsx';
import { openDialog } from './dialogs/opened-dialog.ts';
import type { MessageDialogProps } from './message-dialog-props.ts';
import { nameOfUser } from './names.ts';

/** Who has read a message. */
export function ReceiptsDialog({ account, message, onClose }: MessageDialogProps) {
  const { value, error, refresh } = useResource(() =>
    account.client.messages.readReceipts({ message_id: message.id }),
  );
  const state = account.state.value;
  const readers = (value?.user_ids ?? [])
    .map((user_id) => ({ user_id, name: state ? nameOfUser(state, user_id) : '' }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <Dialog title={value ? `Read by ${readers.length}` : 'Read by'} onClose={onClose}>
      <ErrorNotice error={error} onRetry={refresh} />
      {!value && error === undefined && <Loading />}
      {value && readers.length === 0 && <p class="muted">Nobody else has read this message yet.</p>}
      <ul role="list" aria-label="Readers">
        {readers.map(({ user_id, name }) => (
          <li key={user_id}>
            <button
              type="button"
              class="menu-item"
              onClick={() => {
                onClose();
                openDialog(account, { kind: 'person', user_id });
              }}
            >
              <Avatar small name={name} id={user_id} />
              <span class="clip">{name}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="muted">Without the sender, and people who do not share what they have read.</p>
    </Dialog>
  );
}
