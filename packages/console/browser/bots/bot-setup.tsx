import type { Bot } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import { ConfirmDialog } from '../controls/confirm-dialog.tsx';
import { Fact, Facts } from '../controls/facts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { BotKeys } from './bot-keys.tsx';
import { BotSettings } from './bot-settings.tsx';
import { botTypes } from './bot-types.ts';
import { freshKeys } from './fresh-keys.ts';
import { KeysOnce } from './keys-once.tsx';
import { Programs } from './programs.tsx';

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
      <Facts>
        <Fact name="Email address" copy={bot.email}>
          {bot.email}
        </Fact>
        <Fact name="Type">{botTypes[bot.bot_type]}</Fact>
        <Fact name="Owner">{owner?.full_name ?? 'No owner'}</Fact>
      </Facts>
      {bot.is_active && (
        <>
          <Programs bot={bot} self={account.user_id} />
          <BotSettings key={bot_id} account={account} bot={bot} />
          <BotKeys account={account} bot={bot} />
          <div>
            <Button kind="danger" icon="trash" onClick={() => (isAsking.value = true)}>
              Deactivate
            </Button>
          </div>
        </>
      )}
      {isAsking.value && (
        <ConfirmDialog
          title={`Deactivate ${bot.full_name}?`}
          action="Deactivate"
          icon="trash"
          run={() => account.client.bots.deactivate({ bot_id })}
          onClose={() => (isAsking.value = false)}
        >
          It will no longer receive messages, and its API key will stop working. Its messages are
          kept. An administrator can reactivate it.
        </ConfirmDialog>
      )}
    </div>
  );
}
