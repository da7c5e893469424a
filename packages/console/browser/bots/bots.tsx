import { useEffect, useMemo } from 'preact/hooks';

import { Empty } from '../controls/empty.tsx';
import { href, path, query } from '../navigation/location.ts';
import type { PartProps } from '../parts/part.ts';
import { Boundary } from '../shell/boundary.tsx';
import { Workspace } from '../shell/workspace.tsx';
import { AllDeliveries } from './all-deliveries.tsx';
import { watchHealth } from './bot-health.ts';
import { BotList } from './bot-list.tsx';
import { BotPage } from './bot-page.tsx';

import './bots.css';
import { Inspector } from './deliveries/inspector.tsx';
import { managedBots, webhookOf } from './managed-bots.ts';
import { NewBot } from './new-bot.tsx';

/** The bots that the user may see, and their deliveries. */
export function Bots({ account }: PartProps) {
  const health = useMemo(() => watchHealth(account), [account]);
  useEffect(() => health.stop, [health]);
  const shown = path.value[1];
  const { delivery, compare } = query.value;
  const state = account.state.value;
  const bots = state ? managedBots(state, account.user_id) : [];
  const bot = bots.find(({ user_id }) => String(user_id) === shown);
  const watched = bots.filter((one) => webhookOf(one));
  const isInspecting = (delivery ?? compare) !== undefined && shown !== 'new';
  return (
    <Workspace
      listLabel="Bots"
      list={<BotList account={account} health={health} shown={shown} />}
      narrow={isInspecting ? 'inspector' : shown === undefined ? 'list' : 'main'}
      main={
        <Boundary key={shown}>
          {shown === 'new' ? (
            <NewBot account={account} />
          ) : shown === undefined || shown === 'all' ? (
            <AllDeliveries account={account} bots={watched} />
          ) : bot ? (
            <BotPage account={account} bot={bot} />
          ) : (
            <Empty icon="bot" title="Bot not found">
              <p>It may belong to someone else.</p>
              <a class="button" href={href(['bots'])}>
                All deliveries
              </a>
            </Empty>
          )}
        </Boundary>
      }
      inspector={
        isInspecting && (
          <Boundary key={`${delivery} ${compare}`}>
            <Inspector account={account} bots={watched} />
          </Boundary>
        )
      }
    />
  );
}
