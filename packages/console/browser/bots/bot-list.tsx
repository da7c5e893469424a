import type { Bot } from '@bellhop/protocol';

import { Avatar } from '../controls/avatar.tsx';
import { Icon } from '../controls/icon.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { href, query } from '../navigation/location.ts';
import type { BotHealth } from './bot-health.ts';
import { HealthMark } from './health-mark.tsx';
import { managedBots, webhookOf } from './managed-bots.ts';

interface BotListProps {
  readonly account: LiveAccount;
  readonly health: BotHealth;
  /** The ID of the bot that is shown, `new`, or `all` or nothing for all. */
  readonly shown: string | undefined;
}

/** The bots that the user may see, each with the health of its webhook. */
export function BotList({ account, health, shown }: BotListProps) {
  const state = account.state.value;
  if (!state) return null;
  const bots = managedBots(state, account.user_id);
  const active = bots.filter(({ is_active }) => is_active);
  const groups = [
    ['Your bots', active.filter(({ owner_id }) => owner_id === account.user_id)],
    ["Other people's bots", active.filter(({ owner_id }) => owner_id !== account.user_id)],
    ['Deactivated', bots.filter(({ is_active }) => !is_active)],
  ] as const;
  const { q } = query.value;
  return (
    <div class="nav-list bot-list">
      <a class="button" href={href(['bots', 'new'])} aria-current={current(shown === 'new')}>
        <Icon name="plus" />
        New bot
      </a>
      <ul role="list">
        <li>
          <a
            class="nav-entry"
            href={href(['bots', 'all'], { q })}
            aria-current={current(shown === undefined || shown === 'all')}
          >
            <Icon name="inbox" />
            <span class="grow clip">All deliveries</span>
          </a>
        </li>
      </ul>
      {groups.map(
        ([title, members]) =>
          members.length > 0 && (
            <section key={title} aria-label={title}>
              <h2>{title}</h2>
              <ul role="list">
                {members.map((bot) => (
                  <li key={bot.user_id}>
                    <Entry bot={bot} health={health} isShown={shown === String(bot.user_id)} />
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
    </div>
  );
}

const current = (isShown: boolean) => (isShown ? 'page' : undefined);

interface EntryProps {
  readonly bot: Bot;
  readonly health: BotHealth;
  readonly isShown: boolean;
}

const Entry = ({ bot, health, isShown }: EntryProps) => {
  // Only the owner may ask for the state. That of others' bots is known from their next delivery on.
  const known = health.states.value.get(bot.user_id);
  return (
    <a
      class="nav-entry"
      href={href(['bots', String(bot.user_id)], { q: query.value['q'] })}
      aria-current={current(isShown)}
      title={bot.email}
    >
      <Avatar small name={bot.full_name} id={bot.user_id} />
      <span class="grow clip">{bot.full_name}</span>
      {bot.is_active && webhookOf(bot) && known && <HealthMark health={known} />}
    </a>
  );
};
