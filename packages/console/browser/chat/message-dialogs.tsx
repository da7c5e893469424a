import { ConfirmDialog } from '../controls/confirm-dialog.tsx';
import { SelectField, TextField } from '../controls/field.tsx';
import { FormDialog } from '../controls/form-dialog.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { Lazy } from '../shell/lazy.tsx';
import { textOf } from '../text/text-of.ts';
import type { MessageActions } from './message-actions.ts';
import type { MessageDialogProps } from './message-dialog-props.ts';
import { strings } from './strings.ts';

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
  if (open.kind === 'source') return <Lazy load={loadSource} props={props} />;
  if (open.kind === 'history') return <Lazy load={loadHistory} props={props} />;
  return open.kind === 'move' ? <MoveDialog {...props} /> : <DeleteDialog {...props} />;
}

const DeleteDialog = ({ account, message, onClose }: MessageDialogProps) => (
  <ConfirmDialog
    title={strings.deleteTitle}
    action={strings.delete}
    icon="trash"
    run={() => account.client.messages.remove({ message_id: message.id })}
    onClose={onClose}
  >
    {strings.deleteText}
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
      title={strings.moveTitle}
      action={strings.move}
      send={move}
      onSent={onClose}
      onClose={onClose}
    >
      <SelectField
        label={strings.channel}
        name="channel"
        {...(message.stream_id !== undefined && { defaultValue: message.stream_id })}
        options={(account.state.value?.subscriptions ?? []).map(({ stream_id, name }) => ({
          value: stream_id,
          label: name,
        }))}
      />
      <TextField label={strings.topic} name="topic" defaultValue={message.subject} maxLength={60} />
      <SelectField
        label={strings.which}
        name="mode"
        options={modes.map((value) => ({ value, label: strings.modes[value] }))}
      />
    </FormDialog>
  );
}
