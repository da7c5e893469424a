import { TextField } from '../controls/field.tsx';
import { FormDialog } from '../controls/form-dialog.tsx';
import { toast } from '../controls/toasts.tsx';
import { textOf } from '../text/text-of.ts';
import type { OperatorClient } from './operator-client.ts';
import { strings } from './strings.ts';

interface BanDialogProps {
  readonly client: OperatorClient;
  readonly onClose: () => void;
}

/**
 * Bans a chat server, or those of a host name, and lists the registered servers that the ban
 * affects.
 */
export const BanDialog = ({ client, onClose }: BanDialogProps) => (
  <FormDialog
    title={strings.ban}
    action={strings.ban}
    send={(fields) =>
      client.access.ban({
        subject: textOf(fields.get('subject')).trim(),
        reason: textOf(fields.get('reason')).trim(),
      })
    }
    onSent={({ hostnames }) => {
      toast(strings.banned(hostnames));
      onClose();
    }}
    onClose={onClose}
  >
    <TextField
      label={strings.subject}
      hint={strings.subjectHint}
      name="subject"
      maxLength={1000}
      required
      autocomplete="off"
    />
    <TextField
      label={strings.reason}
      hint={strings.reasonHint}
      name="reason"
      maxLength={1000}
      autocomplete="off"
    />
  </FormDialog>
);
