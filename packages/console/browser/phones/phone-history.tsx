import type { SandboxPhone } from '@bellhop/protocol';

import { ClockTime } from '../controls/clock-time.tsx';
import { Pill } from '../controls/pill.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { strings } from './strings.ts';

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
  const { app_id, push_account_id, key_fingerprint, history } = phone;
  const state = account.state.value?.push_devices?.[push_account_id];
  const why = state?.error_message ?? state?.error_code ?? '';
  return (
    <>
      <dl class="facts">
        <dt>{strings.app}</dt>
        <dd class="mono">{app_id}</dd>
        <dt>{strings.accountNumber}</dt>
        <dd class="mono">{push_account_id}</dd>
        <dt>{strings.keyFingerprint}</dt>
        <dd class="mono">{key_fingerprint}</dd>
      </dl>
      <ol class="timeline" role="list" aria-label={strings.history}>
        <li>
          <span class="time">{strings.now}</span>
          <Pill tone={state?.status === 'active' ? 'ok' : 'bad'}>
            {strings.registration[state?.status ?? 'none']}
          </Pill>
          <span class="muted clip" title={why}>
            {why}
          </span>
        </li>
        {history.toReversed().map(({ ms, kind, detail }) => (
          <li key={`${ms} ${kind}`}>
            <ClockTime ms={ms} />
            <Pill tone={tones[kind]}>{strings.historyKinds[kind]}</Pill>
            <span class="muted clip">{detail}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
