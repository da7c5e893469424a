import type { Bot } from '@bellhop/protocol';

import { TextField } from '../controls/field.tsx';
import { Form } from '../controls/form.tsx';
import { toast } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { textOf } from '../text/text-of.ts';
import { webhookOf } from './managed-bots.ts';
import { WebhookFields } from './webhook-fields.tsx';

interface BotSettingsProps {
  readonly account: LiveAccount;
  readonly bot: Bot;
}

/** Name and webhook of a bot. Saving the webhook enables it if the server has disabled it. */
export function BotSettings({ account, bot }: BotSettingsProps) {
  const webhook = webhookOf(bot);
  const save = (fields: FormData) => {
    const name = textOf(fields.get('full_name')).trim();
    return account.client.bots.update({
      bot_id: bot.user_id,
      ...(name === bot.full_name ? {} : { full_name: name }),
      ...(webhook
        ? {
            service_payload_url: textOf(fields.get('service_payload_url')).trim(),
            service_interface: Number(fields.get('interface')),
          }
        : {}),
    });
  };
  return (
    <section class="setup-section" aria-label="Settings">
      <h3>Settings</h3>
      <Form action="Save" send={save} onSent={() => toast('Saved')}>
        <TextField
          label="Name"
          name="full_name"
          required
          maxLength={100}
          autocomplete="off"
          defaultValue={bot.full_name}
        />
        {webhook && (
          <WebhookFields
            payloadUrl={webhook.base_url}
            interfaceType={webhook.interface}
            urlName="service_payload_url"
          />
        )}
      </Form>
    </section>
  );
}
