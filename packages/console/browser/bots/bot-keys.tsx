import type { Bot } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../controls/button.tsx';
import { ConfirmDialog } from '../controls/confirm-dialog.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { SelectField } from '../controls/field.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { freshKeys } from './fresh-keys.ts';
import { webhookOf } from './managed-bots.ts';
import { strings } from './strings.ts';

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
  if (bot.api_key === undefined) return <p class="muted">{strings.notForYou}</p>;
  return (
    <section class="setup-section" aria-label={strings.keys}>
      <h3>{strings.keys}</h3>
      <p class="muted">{strings.keysText}</p>
      <KeyRow name={strings.apiKey} value={bot.api_key}>
        <Button icon="refresh-cw" onClick={() => (asking.value = 'key')}>
          {strings.newKey}
        </Button>
      </KeyRow>
      {webhook?.token !== undefined && (
        <KeyRow name={strings.token} value={webhook.token}>
          <Button icon="refresh-cw" onClick={() => (asking.value = 'token')}>
            {strings.newToken}
          </Button>
        </KeyRow>
      )}
      {asking.value === 'key' && (
        <ConfirmDialog
          title={strings.newKeyTitle}
          action={strings.newKey}
          onClose={close}
          run={async () => {
            const { api_key } = await account.client.bots.regenerateApiKey({ bot_id });
            freshKeys.value = { bot_id, api_key };
          }}
        >
          {strings.newKeyText}
        </ConfirmDialog>
      )}
      {asking.value === 'token' && (
        <ConfirmDialog
          title={strings.newTokenTitle}
          action={strings.newToken}
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
            label={strings.keepOld}
            value={keepOld.value}
            options={Object.entries(strings.keepOldChoices).map(([value, label]) => ({
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
    <span class="mono muted" aria-label={strings.hidden}>
      ••••••••
    </span>
    <CopyButton text={value} label={strings.copy(name)} />
    {children}
  </div>
);
