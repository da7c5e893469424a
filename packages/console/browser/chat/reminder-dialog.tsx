import { MAX_REMINDER_NOTE_LENGTH } from '@bellhop/protocol';

import { TextField } from '../controls/field.tsx';
import { FormDialog } from '../controls/form-dialog.tsx';
import { toast } from '../controls/toasts.tsx';
import { go } from '../navigation/location.ts';
import { textOf } from '../text/text-of.ts';
import { WhenField, whenOf } from './compose/when-field.tsx';
import { laterHref } from './later-href.ts';
import type { MessageDialogProps } from './message-dialog-props.ts';

/** Asks when to be reminded of a message. */
export const ReminderDialog = ({ account, message, onClose }: MessageDialogProps) => (
  <FormDialog
    title="Remind me"
    action="Remind me"
    send={async (fields) => {
      const note = textOf(fields.get('note')).trim();
      return account.client.reminders.add({
        message_id: message.id,
        scheduled_delivery_timestamp: whenOf(fields),
        ...(note === '' ? {} : { note }),
      });
    }}
    onSent={() => {
      onClose();
      toast('Reminder set.', { label: 'Show', run: () => go(laterHref('reminders')) });
    }}
    onClose={onClose}
  >
    <WhenField label="When" />
    <TextField
      label="Note to yourself"
      name="note"
      hint="Optional. It is in the reminder, which comes as a direct message."
      maxLength={MAX_REMINDER_NOTE_LENGTH}
    />
  </FormDialog>
);
