import type { Bot } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button, IconButton } from '../../controls/button.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { pinnedPayloads } from './pinned-payloads.ts';
import { sent } from './replay-now.ts';

interface SendTestProps {
  readonly account: LiveAccount;
  readonly bot: Bot;
}

/** A button that sends a test payload to the webhook of an own bot: the server's, a pinned one, or one's own. */
export function SendTest({ account, bot }: SendTestProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <Button icon="zap" onClick={() => (isOpen.value = true)}>
        Send a test
      </Button>
      {isOpen.value && (
        <TestDialog account={account} bot={bot} onClose={() => (isOpen.value = false)} />
      )}
    </>
  );
}

function TestDialog({ account, bot, onClose }: SendTestProps & { readonly onClose: () => void }) {
  const payload = useSignal('');
  const { user_id: bot_id } = bot;
  const pins = pinnedPayloads(account.user_id);
  const chosen = pins.entries.value.find(({ text }) => text === payload.value);
  const send = () =>
    account.client.botDeliveries.test({
      bot_id,
      ...(payload.peek().trim() !== '' && { payload: payload.peek() }),
    });
  return (
    <FormDialog
      title="Send a test"
      action="Send a test"
      send={send}
      onSent={({ delivery_id }) => {
        onClose();
        sent(delivery_id, bot_id, 'Test sent.');
      }}
      onClose={onClose}
    >
      <p class="muted">
        The bot receives a direct message from you that nobody else sees. Its reply is not sent.
      </p>
      {pins.entries.value.length > 0 && (
        <div class="row">
          <select
            class="input grow"
            aria-label="Pinned payload"
            value={chosen?.name ?? ''}
            onChange={({ currentTarget: { value } }) =>
              (payload.value = pins.entries.value.find(({ name }) => name === value)?.text ?? '')
            }
          >
            <option value="">None</option>
            {pins.entries.value.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          {chosen && (
            <IconButton
              icon="trash"
              label={`Unpin ${chosen.name}`}
              onClick={() => pins.remove(chosen.name)}
            />
          )}
        </div>
      )}
      <label class="field">
        Test payload
        <textarea
          class="input payload-field"
          rows={6}
          spellcheck={false}
          value={payload.value}
          onInput={({ currentTarget }) => (payload.value = currentTarget.value)}
        />
        <small>Leave empty to use a payload in the format of the bot's interface.</small>
      </label>
    </FormDialog>
  );
}
