import type { Bot } from '@bellhop/protocol';
import type { TargetedSubmitEvent } from 'preact';

import { Button } from '../controls/button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { toast } from '../controls/toasts.tsx';
import { useAction } from '../controls/use-action.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { textOf } from '../text/text-of.ts';
import { webhookOf } from './managed-bots.ts';
import { strings } from './strings.ts';
import { WebhookFields } from './webhook-fields.tsx';

interface BotSettingsProps {
  readonly account: LiveAccount;
  readonly bot: Bot;
}

/** Name and webhook of a bot. Saving the webhook enables it if the server has disabled it. */
export function BotSettings({ account, bot }: BotSettingsProps) {
  const { error, isBusy, run } = useAction();
  const webhook = webhookOf(bot);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const name = textOf(fields.get('full_name')).trim();
    const call = account.client.bots.update({
      bot_id: bot.user_id,
      ...(name === bot.full_name ? {} : { full_name: name }),
      ...(webhook
        ? {
            service_payload_url: textOf(fields.get('payload_url')).trim(),
            service_interface: Number(fields.get('interface')),
          }
        : {}),
    });
    run(call, () => toast(strings.saved));
  };
  return (
    <section class="setup-section" aria-label={strings.edit}>
      <h3>{strings.edit}</h3>
      <form class="bot-form" onSubmit={submit}>
        <label class="field">
          {strings.name}
          <input
            class="input"
            name="full_name"
            required
            maxLength={100}
            autocomplete="off"
            defaultValue={bot.full_name}
          />
        </label>
        {webhook && (
          <WebhookFields payloadUrl={webhook.base_url} interfaceType={webhook.interface} />
        )}
        <ErrorNotice error={error.value} />
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={isBusy.value}>
            {strings.save}
          </Button>
        </div>
      </form>
    </section>
  );
}
