import type { ScheduledMessage } from '@bellhop/protocol';

import { Field } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { toast } from '../../controls/toasts.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { go } from '../../navigation/location.ts';
import { textOf } from '../../text/text-of.ts';
import { laterHref } from '../later-href.ts';
import { titleOf } from '../names.ts';
import { type Destination, sendParams, viewOfDestination } from './destination.ts';
import { WhenField, whenOf } from './when-field.tsx';

interface ScheduleDialogProps {
  readonly account: LiveAccount;
  readonly to: Destination;
  readonly content: string;
  /** The message that is changed, if it has been scheduled already. */
  readonly scheduled?: ScheduledMessage;
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Asks when to send a message; of one that has been scheduled also for another text. */
export function ScheduleDialog(props: ScheduleDialogProps) {
  const { account, to, content, scheduled, onDone, onClose } = props;
  const state = account.state.value;
  const { scheduledMessages } = account.client;
  const send = async (fields: FormData) => {
    const scheduled_delivery_timestamp = whenOf(fields);
    if (!scheduled)
      return scheduledMessages.add({ ...sendParams(to), content, scheduled_delivery_timestamp });
    const { scheduled_message_id } = scheduled;
    return scheduledMessages.update({
      scheduled_message_id,
      content: textOf(fields.get('content')),
      scheduled_delivery_timestamp,
    });
  };
  return (
    <FormDialog
      title={scheduled ? 'Edit scheduled message' : 'Send later'}
      action={scheduled ? 'Save' : 'Schedule'}
      send={send}
      onSent={() => {
        onClose();
        onDone?.();
        if (!scheduled)
          toast('Message scheduled.', { label: 'Show', run: () => go(laterHref('scheduled')) });
      }}
      onClose={onClose}
    >
      {state && <p>To {titleOf(state, viewOfDestination(to), account.user_id)}</p>}
      {scheduled && (
        <Field label="Message">
          <textarea class="input" name="content" rows={4} required defaultValue={content} />
        </Field>
      )}
      <WhenField
        label="Send"
        {...(scheduled && { initial: scheduled.scheduled_delivery_timestamp })}
      />
    </FormDialog>
  );
}
