import { useSignal } from '@preact/signals';

import { Dialog } from '../controls/dialog.tsx';
import { FormDialog } from '../controls/form-dialog.tsx';
import { State } from './columns.tsx';
import type { OperatorClient } from './operator-client.ts';

interface TestDeviceDialogProps {
  readonly client: OperatorClient;
  readonly device_id: number;
  readonly onClose: () => void;
}

/** Sends a device a test notification, and shows what its provider answers. */
export function TestDeviceDialog({ client, device_id, onClose }: TestDeviceDialogProps) {
  const answer = useSignal<Awaited<ReturnType<OperatorClient['devices']['sendTest']>> | undefined>(
    undefined,
  );
  const title = `Test device ${device_id}`;
  if (answer.value)
    return (
      <Dialog title={title} onClose={onClose}>
        <State name={answer.value.accepted ? 'accepted' : 'refused'} />
        {answer.value.lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </Dialog>
    );
  return (
    <FormDialog
      title={title}
      action="Send test"
      send={() => client.devices.sendTest({ device_id })}
      onSent={(sent) => (answer.value = sent)}
      onClose={onClose}
    >
      <p>
        An iPhone shows "Test notification of the push bouncer". An Android app gets data that it
        cannot decrypt. The device stays registered whatever its provider answers.
      </p>
    </FormDialog>
  );
}
