import type { InitialState } from '@bellhop/protocol';
import { useComputed } from '@preact/signals';

import { now } from '../controls/now.ts';
import { Time } from '../controls/time.tsx';
import type { LiveAccount } from '../live/live-account.ts';

const presenceTexts = { active: 'active now', idle: 'idle' };

type Presence = 'active' | 'idle' | 'away';

/** UNIX seconds of the last activity and of the last sign of a client; 0 for a user without. */
function timesOf({ presences }: InitialState, user_id: number) {
  const presence = presences?.[String(user_id)];
  return presence && 'active_timestamp' in presence
    ? presence
    : { active_timestamp: 0, idle_timestamp: 0 };
}

function presenceOf(state: InitialState | undefined, user_id: number, seconds: number): Presence {
  if (!state) return 'away';
  const since = seconds - (state.server_presence_offline_threshold_seconds ?? 200);
  const { active_timestamp, idle_timestamp } = timesOf(state, user_id);
  if (active_timestamp >= since) return 'active';
  return idle_timestamp >= since ? 'idle' : 'away';
}

interface PresenceProps {
  readonly account: LiveAccount;
  readonly user_id: number;
}

const usePresence = ({ account, user_id }: PresenceProps) =>
  useComputed(() => presenceOf(account.state.value, user_id, now.value / 1000)).value;

/** A dot for somebody who is here: full if active, hollow if idle. */
export function PresenceDot(props: PresenceProps) {
  const presence = usePresence(props);
  if (presence === 'away') return null;
  return (
    <span class={`presence ${presence}`} title={presenceTexts[presence]}>
      <span class="visually-hidden">, {presenceTexts[presence]}</span>
    </span>
  );
}

/** Whether somebody is here, or when they were here last. */
export function PresenceText(props: PresenceProps) {
  const presence = usePresence(props);
  const { value: state } = props.account.state;
  if (presence !== 'away') return presenceTexts[presence];
  const seconds = state ? timesOf(state, props.user_id).active_timestamp : 0;
  if (seconds === 0) return null;
  return (
    <>
      last seen <Time seconds={seconds} />
    </>
  );
}
