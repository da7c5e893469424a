import type { Bot } from '@bellhop/protocol';

import { Avatar } from '../controls/avatar.tsx';
import { Pill } from '../controls/pill.tsx';
import { Tabs } from '../controls/tabs.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { query, setQuery } from '../navigation/location.ts';
import { usePageName } from '../shell/page-title.ts';
import { BotHead } from './bot-head.tsx';
import { BotSetup } from './bot-setup.tsx';
import { DeliveriesView } from './deliveries/deliveries-view.tsx';
import { EndpointView } from './endpoint-view.tsx';
import { webhookOf } from './managed-bots.ts';

const tabNames = { deliveries: 'Deliveries', endpoint: 'Endpoint', setup: 'Setup' };

type Tab = keyof typeof tabNames;

interface BotPageProps {
  readonly account: LiveAccount;
  readonly bot: Bot;
}

/** One bot: its deliveries, its endpoint, and all its settings. */
export function BotPage({ account, bot }: BotPageProps) {
  usePageName(bot.full_name);
  const hasWebhook = webhookOf(bot) !== undefined;
  const isOwn = bot.owner_id === account.user_id;
  const { deliveries, endpoint, setup } = tabNames;
  const tabs: Partial<Record<Tab, string>> = hasWebhook
    ? { deliveries, ...(isOwn && { endpoint }), setup }
    : { setup };
  const asked = query.value['tab'];
  const tab: Tab =
    asked !== undefined && asked in tabs ? (asked as Tab) : hasWebhook ? 'deliveries' : 'setup';
  return (
    <section class="bot-page" aria-label={bot.full_name}>
      <BotHead>
        <Avatar small name={bot.full_name} id={bot.user_id} />
        <h2 class="clip">{bot.full_name}</h2>
        {!bot.is_active && <Pill icon="x">deactivated</Pill>}
        <span class="grow clip muted">{bot.email}</span>
      </BotHead>
      <Tabs
        label={`Views of ${bot.full_name}`}
        tabs={tabs as Record<Tab, string>}
        chosen={tab}
        onChoose={(next) =>
          setQuery({ tab: next, delivery: undefined, of: undefined, compare: undefined })
        }
      >
        {tab === 'deliveries' ? (
          <DeliveriesView
            account={account}
            bots={[bot]}
            own={isOwn && bot.is_active ? bot : undefined}
          />
        ) : tab === 'endpoint' ? (
          <EndpointView account={account} bot={bot} />
        ) : (
          <BotSetup account={account} bot={bot} />
        )}
      </Tabs>
    </section>
  );
}
