import { MAX_INVITATION_HOURS } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Dialog } from '../controls/dialog.tsx';
import { Command } from '../controls/empty.tsx';
import { TextField } from '../controls/field.tsx';
import { FormDialog } from '../controls/form-dialog.tsx';
import { toast } from '../controls/toasts.tsx';
import { textOf } from '../text/text-of.ts';
import type { OperatorClient } from './operator-client.ts';
import { strings } from './strings.ts';

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
      <Dialog title={strings.tokenTitle} onClose={onClose}>
        <p>{strings.tokenText}</p>
        <Command text={`BELLHOP_BOUNCER_REGISTRATION_TOKEN=${token.value}`} />
      </Dialog>
    );
  return (
    <FormDialog
      title={strings.invite}
      action={strings.invite}
      send={invite}
      onSent={(invitation) => {
        if (invitation.token !== null) token.value = invitation.token;
        else {
          toast(strings.serverInvited);
          onClose();
        }
      }}
      onClose={onClose}
    >
      <TextField
        label={strings.hours}
        name="hours"
        type="number"
        min={1}
        max={MAX_INVITATION_HOURS}
        defaultValue="72"
        required
      />
      <TextField
        label={strings.onlyServer}
        hint={strings.onlyServerHint}
        isCode
        name="server"
        maxLength={36}
        autocomplete="off"
      />
    </FormDialog>
  );
}
