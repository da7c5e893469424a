import type { BotDeliveryDetails } from '@bellhop/protocol';

import { clockText } from '../../controls/clock-time.tsx';
import { TextField } from '../../controls/field.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import { toast } from '../../controls/toasts.tsx';
import { textOf } from '../../text/text-of.ts';
import { pinnedPayloads } from './pinned-payloads.ts';

interface PinPayloadProps {
  readonly user_id: number;
  readonly delivery: BotDeliveryDetails;
  readonly onClose: () => void;
}

/** Gives a payload a name, under which any bot can get it as a test. */
export function PinPayload({ user_id, delivery, onClose }: PinPayloadProps) {
  const pin = async (fields: FormData) => {
    const name = textOf(fields.get('name')).trim();
    pinnedPayloads(user_id).keep({ name, text: delivery.payload ?? '' });
    toast('Pinned. You can now choose it in "Send a test".');
  };
  return (
    <FormDialog
      title="Pin payload"
      action="Pin payload"
      send={pin}
      onSent={onClose}
      onClose={onClose}
    >
      <p class="muted">
        The payload is kept in this browser. You can send it to any of your bots with "Send a test".
      </p>
      <TextField
        label="Name"
        name="name"
        maxLength={60}
        required
        defaultValue={`${delivery.trigger} ${clockText(delivery.created_ms)}`}
      />
    </FormDialog>
  );
}
