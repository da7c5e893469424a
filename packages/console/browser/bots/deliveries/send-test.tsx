import type { Bot } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';

import { Button } from '../../controls/button.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { useAction } from '../../controls/use-action.ts';
import type { LiveAccount } from '../../live/live-account.ts';
import { textOf } from '../../text/text-of.ts';
import { sent } from './replay-now.ts';
import { strings } from './strings.ts';

interface SendTestProps {
  readonly account: LiveAccount;
  readonly bot: Bot;
}

/** A button that sends a test payload to the webhook of an own bot, the server's or one's own. */
export function SendTest({ account, bot }: SendTestProps) {
  const isOpen = useSignal(false);
  const { error, isBusy, run } = useAction();
  const close = () => (isOpen.value = false);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const payload = textOf(new FormData(event.currentTarget).get('payload'));
    const { user_id: bot_id } = bot;
    const call = account.client.botDeliveries.test({
      bot_id,
      ...(payload.trim() !== '' && { payload }),
    });
    run(call, ({ delivery_id }) => {
      close();
      sent(delivery_id, bot_id, strings.testSent);
    });
  };
  return (
    <>
      <Button icon="zap" onClick={() => (isOpen.value = true)}>
        {strings.test}
      </Button>
      {isOpen.value && (
        <Dialog title={strings.test} onClose={close}>
          <form class="bot-form" onSubmit={submit}>
            <p class="muted">{strings.testText}</p>
            <label class="field">
              {strings.testPayload}
              <textarea class="input payload-field" name="payload" rows={6} spellcheck={false} />
              <small>{strings.testPayloadHint}</small>
            </label>
            <ErrorNotice error={error.value} />
            <div class="actions">
              <Button onClick={close}>{strings.cancel}</Button>
              <Button kind="primary" type="submit" icon="zap" isBusy={isBusy.value}>
                {strings.test}
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}
