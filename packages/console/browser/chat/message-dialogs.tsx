import { ConfirmDialog } from '../controls/confirm-dialog.tsx';
import { SelectField, TextField } from '../controls/field.tsx';
import { FormDialog } from '../controls/form-dialog.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { Lazy } from '../shell/lazy.tsx';
import { textOf } from '../text/text-of.ts';
import { ForwardDialog } from './forward-dialog.tsx';
import type { MessageActions } from './message-actions.ts';
import type { MessageDialogProps } from './message-dialog-props.ts';
import { ReceiptsDialog } from './receipts-dialog.tsx';
import { ReminderDialog } from './reminder-dialog.tsx';

const moveModes = {
  change_one: 'Only this message',
  change_later: 'This message and later messages in this topic',
  change_all: 'All messages in this topic',
};

interface DialogsProps {
  readonly account: LiveAccount;
  readonly actions: MessageActions;
}

const loadHistory = async () => (await import('./history-dialog.tsx')).HistoryDialog;

const loadSource = async () => (await import('./source-dialog.tsx')).SourceDialog;

/** The dialog about a message that is open, if any. */
export function MessageDialogs({ account, actions }: DialogsProps) {
  const open = actions.dialog.value;
  if (!open) return null;
  const props = {
    account,
    message: open.message,
    onClose: () => (actions.dialog.value = undefined),
  };
  switch (open.kind) {
    case 'source':
      return <Lazy load={loadSource} props={props} />;
    case 'history':
      return <Lazy load={loadHistory} props={props} />;
    case 'forward':
      return <ForwardDialog {...props} />;
    case 'receipts':
      return <ReceiptsDialog {...props} />;
    case 'reminder':
      return <ReminderDialog {...props} />;
    case 'move':
      return <MoveDialog {...props} />;
    case 'delete':
      return <DeleteDialog {...props} />;
  }
}

const DeleteDialog = ({ account, message, onClose }: MessageDialogProps) => (
  <ConfirmDialog
    title="Delete message?"
    action="Delete"
    icon="trash"
    run={() => account.client.messages.remove({ message_id: message.id })}
    onClose={onClose}
  >
    This permanently deletes the message for everyone.
  </ConfirmDialog>
);

const modes = ['change_one', 'change_later', 'change_all'] as const;

function MoveDialog({ account, message, onClose }: MessageDialogProps) {
  const move = (fields: FormData) => {
    const channel = Number(fields.get('channel'));
    return account.client.messages.edit({
      message_id: message.id,
      topic: textOf(fields.get('topic')),
      propagate_mode: textOf(fields.get('mode')) as (typeof modes)[number],
      ...(channel === message.stream_id ? {} : { stream_id: channel as never }),
    });
  };
  return (
    <FormDialog
      title="Move to another topic"
      action="Move"
      send={move}
      onSent={onClose}
      onClose={onClose}
    >
      <SelectField
        label="Channel"
        name="channel"
        {...(message.stream_id !== undefined && { defaultValue: message.stream_id })}
        options={(account.state.value?.subscriptions ?? []).map(({ stream_id, name }) => ({
          value: stream_id,
          label: name,
        }))}
      />
      <TextField label="Topic" name="topic" defaultValue={message.subject} maxLength={60} />
      <SelectField
        label="Messages to move"
        name="mode"
        options={modes.map((value) => ({ value, label: moveModes[value] }))}
      />
    </FormDialog>
  );
}
