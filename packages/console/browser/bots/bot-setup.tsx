import type { Bot } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import { ConfirmDialog } from '../controls/confirm-dialog.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { BotKeys } from './bot-keys.tsx';
import { BotSettings } from './bot-settings.tsx';
import { freshKeys } from './fresh-keys.ts';
import { KeysOnce } from './keys-once.tsx';
import { Programs } from './programs.tsx';
import { strings } from './strings.ts';

interface BotSetupProps {
  readonly account: LiveAccount;
  readonly bot: Bot;
}

/** All about a bot but its deliveries: programs to run, settings, keys, and its end. */
export function BotSetup({ account, bot }: BotSetupProps) {
  const isAsking = useSignal(false);
  const { user_id: bot_id } = bot;
  useEffect(() => () => void (freshKeys.value = undefined), []);
  const owner = account.state.value?.realm_users?.find(({ user_id }) => user_id === bot.owner_id);
  return (
    <div class="bot-setup">
      <KeysOnce bot={bot} />
      <dl class="facts">
        <div>
          <dt>{strings.email}</dt>
          <dd class="row">
            <span class="clip">{bot.email}</span>
            <CopyButton text={bot.email} label={strings.copy(strings.email)} />
          </dd>
        </div>
        <div>
          <dt>{strings.type}</dt>
          <dd>{strings.types[bot.bot_type]}</dd>
        </div>
        <div>
          <dt>{strings.ownerTerm}</dt>
          <dd>{owner?.full_name ?? strings.noOwner}</dd>
        </div>
      </dl>
      {bot.is_active && (
        <>
          <Programs bot={bot} self={account.user_id} />
          <BotSettings key={bot_id} account={account} bot={bot} />
          <BotKeys account={account} bot={bot} />
          <div>
            <Button kind="danger" icon="trash" onClick={() => (isAsking.value = true)}>
              {strings.deactivate}
            </Button>
          </div>
        </>
      )}
      {isAsking.value && (
        <ConfirmDialog
          title={strings.deactivateTitle(bot.full_name)}
          action={strings.deactivate}
          icon="trash"
          run={() => account.client.bots.deactivate({ bot_id })}
          onClose={() => (isAsking.value = false)}
        >
          {strings.deactivateText}
        </ConfirmDialog>
      )}
    </div>
  );
}
