import type { Bot } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../controls/button.tsx';
import { ConfirmDialog } from '../controls/confirm-dialog.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { SelectField } from '../controls/field.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { freshKeys } from './fresh-keys.ts';
import { webhookOf } from './managed-bots.ts';

const keepOldChoices = {
  0: 'replace it now (it leaked)',
  3600: 'an hour',
  86400: 'a day',
} as Readonly<Record<number, string>>;

interface BotKeysProps {
  readonly account: LiveAccount;
  readonly bot: Bot;
}

/** The keys of a bot, hidden: each is copied, or replaced by a new one that the page shows once. */
export function BotKeys({ account, bot }: BotKeysProps) {
  const asking = useSignal<'key' | 'token' | undefined>(undefined);
  const keepOld = useSignal(0);
  const webhook = webhookOf(bot);
  const { user_id: bot_id } = bot;
  const close = () => (asking.value = undefined);
  if (bot.api_key === undefined)
    return <p class="muted">You cannot see the keys of a bot whose role is higher than yours.</p>;
  return (
    <section class="setup-section" aria-label="Keys">
      <h3>Keys</h3>
      <p class="muted">
        Anyone with a key can act as the bot. Keys stay hidden here, but you can copy them at any
        time.
      </p>
      <KeyRow name="API key" value={bot.api_key}>
        <Button icon="refresh-cw" onClick={() => (asking.value = 'key')}>
          New API key
        </Button>
      </KeyRow>
      {webhook?.token !== undefined && (
        <KeyRow name="Webhook token" value={webhook.token}>
          <Button icon="refresh-cw" onClick={() => (asking.value = 'token')}>
            New token
          </Button>
        </KeyRow>
      )}
      {asking.value === 'key' && (
        <ConfirmDialog
          title="Generate a new API key?"
          action="New API key"
          onClose={close}
          run={async () => {
            const { api_key } = await account.client.bots.regenerateApiKey({ bot_id });
            freshKeys.value = { bot_id, api_key };
          }}
        >
          The old key stops working immediately and the bot's event queues are closed. Update every
          program that uses the old key.
        </ConfirmDialog>
      )}
      {asking.value === 'token' && (
        <ConfirmDialog
          title="Generate a new webhook token?"
          action="New token"
          onClose={close}
          run={async () => {
            const { token } = await account.client.bots.regenerateToken({
              bot_id,
              keep_old_seconds: keepOld.peek(),
            });
            freshKeys.value = { bot_id, token };
          }}
        >
          <SelectField
            label="Keep using the old token for"
            value={keepOld.value}
            options={Object.entries(keepOldChoices).map(([value, label]) => ({
              value,
              label,
            }))}
            onChoose={(value) => (keepOld.value = Number(value))}
          />
        </ConfirmDialog>
      )}
    </section>
  );
}

interface KeyRowProps {
  readonly name: string;
  readonly value: string;
  readonly children: preact.ComponentChildren;
}

const KeyRow = ({ name, value, children }: KeyRowProps) => (
  <div class="key-row">
    <span class="grow">{name}</span>
    <span class="mono muted" aria-label="hidden">
      ••••••••
    </span>
    <CopyButton text={value} label={`Copy ${name}`} />
    {children}
  </div>
);
