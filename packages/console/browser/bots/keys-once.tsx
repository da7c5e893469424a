import type { Bot } from '@bellhop/protocol';

import { Button } from '../controls/button.tsx';
import { Command } from '../controls/empty.tsx';
import { Fact, Facts } from '../controls/facts.tsx';
import { freshKeys } from './fresh-keys.ts';
import { webhookOf } from './managed-bots.ts';

/** The new keys of a bot, until the user dismisses them. */
export function KeysOnce({ bot }: { bot: Bot }) {
  const keys = freshKeys.value;
  if (keys?.bot_id !== bot.user_id) return null;
  const token = keys.token ?? (keys.isNew ? webhookOf(bot)?.token : undefined);
  return (
    <section class="keys-once" aria-label={`Keys of ${bot.full_name}`}>
      <h3>Keys of {bot.full_name}</h3>
      <p class="muted">
        Store them where only your program can read them. Later, Keys below copies them.
      </p>
      <Facts>
        {keys.api_key !== undefined && <Key name="API key" value={keys.api_key} />}
        {token !== undefined && <Key name="Webhook token" value={token} />}
      </Facts>
      <div class="actions">
        <Button icon="check" onClick={() => (freshKeys.value = undefined)}>
          Done
        </Button>
      </div>
    </section>
  );
}

const Key = ({ name, value }: { name: string; value: string }) => (
  <Fact name={name}>
    <Command text={value} />
  </Fact>
);
