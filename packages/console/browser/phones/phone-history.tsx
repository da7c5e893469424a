import type { SandboxPhone } from '@bellhop/protocol';

import { ClockTime } from '../controls/clock-time.tsx';
import { Fact, Facts } from '../controls/facts.tsx';
import { Pill } from '../controls/pill.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { registrationNames } from './names.ts';
import { registrationOf } from './target.ts';

const eventNames = {
  installed: 'installed',
  registered: 'registered',
  refused: 'rejected',
  rotated: 'keys rotated',
  offline: 'offline',
  online: 'online',
  uninstalled: 'app uninstalled',
};

const tones = {
  installed: undefined,
  registered: 'ok',
  refused: 'bad',
  rotated: 'info',
  offline: 'warn',
  online: 'ok',
  uninstalled: 'bad',
} as const;

interface PhoneHistoryProps {
  readonly account: LiveAccount;
  readonly phone: SandboxPhone;
}

/** The registration of a phone over time: its own steps, and its present state on the server. */
export function PhoneHistory({ account, phone }: PhoneHistoryProps) {
  const { app_id, push_account_id, device_id, key_fingerprint, push_key_id, history } = phone;
  const state = registrationOf(account.state.value, phone);
  const why = state?.error_message ?? state?.error_code ?? '';
  return (
    <>
      <Facts>
        <Fact name="App">
          <span class="mono">{app_id}</span>
        </Fact>
        <Fact name={device_id === null ? 'Account number' : 'Device number'}>
          <span class="mono">{device_id ?? push_account_id}</span>
        </Fact>
        <Fact name="Key">
          <span class="mono">{push_key_id ?? key_fingerprint}</span>
        </Fact>
      </Facts>
      <ol class="timeline" role="list" aria-label="Registration">
        <li>
          <span class="time">now</span>
          <Pill tone={state?.status === 'active' ? 'ok' : 'bad'}>
            {registrationNames[state?.status ?? 'none']}
          </Pill>
          <span class="muted clip" title={why}>
            {why}
          </span>
        </li>
        {history.toReversed().map(({ ms, kind, detail }) => (
          <li key={`${ms} ${kind}`}>
            <ClockTime ms={ms} />
            <Pill tone={tones[kind]}>{eventNames[kind]}</Pill>
            <span class="muted clip">{detail}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
