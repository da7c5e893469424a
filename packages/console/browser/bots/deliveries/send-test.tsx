import type { Bot } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button, IconButton } from '../../controls/button.tsx';
import { FormDialog } from '../../controls/form-dialog.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { pinnedPayloads } from './pinned-payloads.ts';
import { sent } from './replay-now.ts';
import { strings } from './strings.ts';

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
        {strings.test}
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
      title={strings.test}
      action={strings.test}
      send={send}
      onSent={({ delivery_id }) => {
        onClose();
        sent(delivery_id, bot_id, strings.testSent);
      }}
      onClose={onClose}
    >
      <p class="muted">{strings.testText}</p>
      {pins.entries.value.length > 0 && (
        <div class="row">
          <select
            class="input grow"
            aria-label={strings.pins}
            value={chosen?.name ?? ''}
            onChange={({ currentTarget: { value } }) =>
              (payload.value = pins.entries.value.find(({ name }) => name === value)?.text ?? '')
            }
          >
            <option value="">{strings.noPin}</option>
            {pins.entries.value.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          {chosen && (
            <IconButton
              icon="trash"
              label={strings.unpin(chosen.name)}
              onClick={() => pins.remove(chosen.name)}
            />
          )}
        </div>
      )}
      <label class="field">
        {strings.testPayload}
        <textarea
          class="input payload-field"
          rows={6}
          spellcheck={false}
          value={payload.value}
          onInput={({ currentTarget }) => (payload.value = currentTarget.value)}
        />
        <small>{strings.testPayloadHint}</small>
      </label>
    </FormDialog>
  );
}
