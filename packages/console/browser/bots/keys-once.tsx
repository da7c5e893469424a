import type { Bot } from '@bellhop/protocol';

import { Button } from '../controls/button.tsx';
import { Command } from '../controls/empty.tsx';
import { freshKeys } from './fresh-keys.ts';
import { webhookOf } from './managed-bots.ts';
import { strings } from './strings.ts';

/** The new keys of a bot, until the user dismisses them. */
export function KeysOnce({ bot }: { bot: Bot }) {
  const keys = freshKeys.value;
  if (keys?.bot_id !== bot.user_id) return null;
  const token = keys.token ?? (keys.isNew ? webhookOf(bot)?.token : undefined);
  return (
    <section class="keys-once" aria-label={strings.onceTitle(bot.full_name)}>
      <h3>{strings.onceTitle(bot.full_name)}</h3>
      <p class="muted">{strings.onceText}</p>
      <dl class="facts">
        {keys.api_key !== undefined && <Key name={strings.apiKey} value={keys.api_key} />}
        {token !== undefined && <Key name={strings.token} value={token} />}
      </dl>
      <div class="actions">
        <Button icon="check" onClick={() => (freshKeys.value = undefined)}>
          {strings.onceDone}
        </Button>
      </div>
    </section>
  );
}

const Key = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <Command text={value} />
    </dd>
  </div>
);
