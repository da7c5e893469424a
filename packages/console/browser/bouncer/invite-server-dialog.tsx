import { MAX_INVITATION_HOURS } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Dialog } from '../controls/dialog.tsx';
import { Command } from '../controls/empty.tsx';
import { TextField } from '../controls/field.tsx';
import { FormDialog } from '../controls/form-dialog.tsx';
import { toast } from '../controls/toasts.tsx';
import { textOf } from '../text/text-of.ts';
import type { OperatorClient } from './operator-client.ts';

interface InviteServerDialogProps {
  readonly client: OperatorClient;
  readonly onClose: () => void;
}

/** Invites a chat server, and shows the token of the invitation once. */
export function InviteServerDialog({ client, onClose }: InviteServerDialogProps) {
  const token = useSignal<string | undefined>(undefined);
  const invite = (fields: FormData) => {
    const server_uuid = textOf(fields.get('server')).trim();
    return client.access.invite({
      hours: Number(fields.get('hours')),
      ...(server_uuid === '' ? {} : { server_uuid }),
    });
  };
  if (token.value !== undefined)
    return (
      <Dialog title="Invitation token" onClose={onClose}>
        <p>
          A chat server with this token in its environment can register once. The token is shown
          only once.
        </p>
        <Command text={`BELLHOP_BOUNCER_REGISTRATION_TOKEN=${token.value}`} />
      </Dialog>
    );
  return (
    <FormDialog
      title="Invite a server"
      action="Invite a server"
      send={invite}
      onSent={(invitation) => {
        if (invitation.token !== null) token.value = invitation.token;
        else {
          toast('The server can register once without a token.');
          onClose();
        }
      }}
      onClose={onClose}
    >
      <TextField
        label="Valid for (hours)"
        name="hours"
        type="number"
        min={1}
        max={MAX_INVITATION_HOURS}
        defaultValue="72"
        required
      />
      <TextField
        label="Limit to server"
        hint="Its BELLHOP_BOUNCER_ORG_ID. Leave empty to allow anyone with the token."
        isCode
        name="server"
        maxLength={36}
        autocomplete="off"
      />
    </FormDialog>
  );
}
