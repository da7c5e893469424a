import { TextField } from '../controls/field.tsx';
import { FormDialog } from '../controls/form-dialog.tsx';
import { toast } from '../controls/toasts.tsx';
import { textOf } from '../text/text-of.ts';
import type { OperatorClient } from './operator-client.ts';

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
    title="Ban a server"
    action="Ban a server"
    send={(fields) =>
      client.access.ban({
        subject: textOf(fields.get('subject')).trim(),
        reason: textOf(fields.get('reason')).trim(),
      })
    }
    onSent={({ hostnames }) => {
      toast(
        hostnames.length === 0
          ? 'Banned. No registered servers are affected.'
          : `Banned. Affected servers: ${hostnames.join(', ')}.`,
      );
      onClose();
    }}
    onClose={onClose}
  >
    <TextField
      label="Subject"
      hint="A chat server ID, or a hostname such as *.example.com"
      name="subject"
      maxLength={1000}
      required
      autocomplete="off"
    />
    <TextField
      label="Reason"
      hint="Shown to operators in this list and in the audit log"
      name="reason"
      maxLength={1000}
      autocomplete="off"
    />
  </FormDialog>
);
