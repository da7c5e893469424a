import type { InitialState } from '@bellhop/protocol';

import { Time } from '../../controls/time.tsx';

interface LastSeenProps {
  readonly state: InitialState;
  readonly user_id: number;
}

/** When a user was last active, within the history that the server keeps. */
export function LastSeen({ state, user_id }: LastSeenProps) {
  const presence = state.presences?.[String(user_id)];
  const seconds = presence && 'active_timestamp' in presence ? presence.active_timestamp : 0;
  return seconds > 0 ? (
    <Time seconds={seconds} />
  ) : (
    <span class="muted">more than two weeks ago</span>
  );
}
