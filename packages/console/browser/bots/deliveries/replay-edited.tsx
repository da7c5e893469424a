import type { BotDeliveryDetails } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { FormDialog } from '../../controls/form-dialog.tsx';
import { DiffView } from '../../json/diff-view.tsx';
import { readJson } from '../../json/read-json.ts';
import type { LiveAccount } from '../../live/live-account.ts';
import { sent } from './replay-now.ts';

interface ReplayEditedProps {
  readonly account: LiveAccount;
  readonly delivery: BotDeliveryDetails;
  readonly onClose: () => void;
}

/** Sends a delivery again with another payload, and shows the changes of the payload. */
export function ReplayEdited({ account, delivery, onClose }: ReplayEditedProps) {
  const original = pretty(delivery.payload ?? '');
  const text = useSignal(original);
  const sendsReply = useSignal(false);
  const { bot_id, id } = delivery;
  const replay = () =>
    account.client.botDeliveries.replay({
      bot_id,
      delivery_id: id,
      payload: text.peek(),
      send_reply: sendsReply.peek(),
    });
  return (
    <FormDialog
      title="Replay with an edited payload"
      class="wide"
      action="Replay"
      icon="refresh-cw"
      send={replay}
      onSent={({ delivery_id }) => {
        onClose();
        sent(delivery_id, bot_id);
      }}
      onClose={onClose}
    >
      <label class="field">
        Payload
        <textarea
          class="input payload-field"
          rows={14}
          spellcheck={false}
          autofocus
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      </label>
      {text.value !== original && <DiffView label="Diff" before={original} after={text.value} />}
      {delivery.message_id !== null && (
        <label class="row">
          <input
            type="checkbox"
            checked={sendsReply.value}
            onChange={({ currentTarget }) => (sendsReply.value = currentTarget.checked)}
          />
          Post the reply to the conversation
        </label>
      )}
    </FormDialog>
  );
}

/** JSON with a line for each value, so that it can be edited; other texts as they are. */
function pretty(text: string): string {
  const value = readJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
