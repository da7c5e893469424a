import type {
  AuditRecord,
  BouncerTrace,
  LoggedFeedback,
  OperatedApp,
  OperatedKey,
  QueuedNotification,
} from '@bellhop/protocol';

import { CopyButton } from '../controls/copy-button.tsx';
import { Pill } from '../controls/pill.tsx';
import { Countdown } from '../controls/ticking.tsx';
import { Time } from '../controls/time.tsx';
import { FilterValue } from '../list/filter-field.tsx';
import type { Column } from '../list/table.tsx';

type Tone = 'ok' | 'warn' | 'bad' | 'wait' | 'info';
const tones: Readonly<Record<string, Tone>> = {
  ok: 'ok',
  active: 'ok',
  accepted: 'ok',
  newest: 'ok',
  queued: 'wait',
  paused: 'wait',
  quarantined: 'warn',
  doubted: 'warn',
  given_up: 'warn',
  older: 'info',
};

/** A state as a pill. Any state that is not known as good is shown as bad. */
export const State = ({ name }: { name: string }) => (
  <Pill tone={tones[name] ?? 'bad'} icon={tones[name] === 'ok' ? 'circle-check' : 'circle-dot'}>
    {name.replaceAll('_', ' ')}
  </Pill>
);

const Code = ({ text, shown = text }: { text: string; shown?: string }) => (
  <span class="row">
    <code class="clip" title={text}>
      {shown}
    </code>
    <CopyButton text={text} />
  </span>
);
export const Id = ({ text }: { text: string }) => <Code text={text} shown={text.slice(0, 8)} />;
/** A provider, or a dash; a click filters by it. */
const Provider = ({ name }: { name: string | null }) =>
  name === null ? (
    <>-</>
  ) : (
    <FilterValue name="provider" value={name}>
      {name}
    </FilterValue>
  );
const Outcome = ({ name }: { name: string }) => (
  <FilterValue name="outcome" value={name}>
    <State name={name} />
  </FilterValue>
);
const At = ({ ms }: { ms: number | null }) => (ms === null ? <>-</> : <Time seconds={ms / 1000} />);

export const appColumns: readonly Column<OperatedApp>[] = [
  { title: 'App', cell: ({ app }) => app ?? '-' },
  { title: 'Provider', cell: ({ provider }) => provider },
  { title: 'Sender', cell: ({ sender }) => sender ?? '-' },
  { title: 'State', cell: ({ state }) => <State name={state} /> },
  { title: 'Reason', cell: ({ reason }) => reason ?? '' },
  { title: 'Devices', cell: ({ devices }) => devices, isNumber: true },
  { title: 'Quarantined', cell: ({ quarantined }) => quarantined, isNumber: true },
  { title: 'Dead', cell: ({ dead }) => dead, isNumber: true },
];

export const keyColumns: readonly Column<OperatedKey>[] = [
  { title: 'Public key', cell: ({ public_key }) => <Code text={public_key} /> },
  { title: 'State', cell: ({ state }) => <State name={state} /> },
  { title: 'Kept in', cell: ({ kept_in }) => kept_in },
  { title: 'Devices', cell: ({ devices }) => devices, isNumber: true },
  {
    title: 'Verdict',
    cell: ({ state, can_retire, verdict }) =>
      state === 'retired' ? (
        verdict
      ) : (
        <span>
          <b>{can_retire ? 'can be retired' : 'keep'}</b>: {verdict}
        </span>
      ),
  },
];

/** When a notification that waits is tried again. */
const Next = ({ ms }: { ms: number | null }) =>
  ms === null ? (
    <>-</>
  ) : (
    <span class="muted">
      in <Countdown to={ms} due="a moment" />
    </span>
  );

export const queueColumns: readonly Column<QueuedNotification>[] = [
  { title: 'Provider', cell: ({ provider }) => <Provider name={provider} /> },
  { title: 'Server', cell: ({ server_uuid }) => <Id text={server_uuid} /> },
  { title: 'Device', cell: ({ device_id }) => device_id, isNumber: true },
  { title: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true },
  {
    title: 'Next attempt',
    cell: ({ next_attempt_ms }) => <Next ms={next_attempt_ms} />,
  },
  { title: 'Reason', cell: ({ reason }) => reason ?? '' },
];

export type TracedPush = BouncerTrace & { readonly at_ms: number };

const retryOf = ({ outcome, stages }: TracedPush): number | null => {
  const at = outcome === 'queued' ? stages.at(-1)?.retry_at : undefined;
  return at === undefined || at === null ? null : at * 1000;
};

export const pushColumns: readonly Column<TracedPush>[] = [
  { title: 'Push', cell: ({ cipher_id }) => <Code text={cipher_id} /> },
  { title: 'Provider', cell: ({ provider }) => <Provider name={provider} /> },
  { title: 'Device', cell: ({ device_id, token_id }) => device_id ?? token_id, isNumber: true },
  { title: 'Outcome', cell: ({ outcome }) => <Outcome name={outcome} /> },
  {
    title: 'Attempts',
    cell: ({ stages }) => (
      <ul role="list" class="log-attempts">
        {stages
          .flatMap(({ attempts }) => attempts)
          .map(({ number, started_ms, status, reason, verdict }) => (
            <li key={started_ms}>
              {number}: {[status ?? '-', reason ?? ''].join(' ').trim()} ({verdict})
            </li>
          ))}
      </ul>
    ),
  },
  {
    title: 'Explanation',
    cell: (push) => (
      <>
        {push.explanation} {push.outcome === 'queued' && <Next ms={retryOf(push)} />}
      </>
    ),
  },
];

export const feedbackColumns: readonly Column<LoggedFeedback>[] = [
  { title: 'Server', cell: ({ server_uuid }) => <Id text={server_uuid} /> },
  { title: 'Push', cell: ({ push_id }) => <Id text={push_id} /> },
  { title: 'Device', cell: ({ device_id }) => device_id ?? '-', isNumber: true },
  { title: 'Provider', cell: ({ provider }) => <Provider name={provider} /> },
  { title: 'Outcome', cell: ({ outcome }) => <Outcome name={outcome} /> },
  { title: 'Reason', cell: ({ reason }) => reason ?? '' },
];

export const auditColumns: readonly Column<AuditRecord>[] = [
  { title: 'Actor', cell: ({ actor }) => actor },
  {
    title: 'Action',
    cell: ({ action }) => (
      <FilterValue name="action" value={action}>
        {action.replaceAll('_', ' ')}
      </FilterValue>
    ),
  },
  {
    title: 'Server',
    cell: ({ server_uuid }) => (server_uuid === null ? '-' : <Id text={server_uuid} />),
  },
  {
    title: 'Detail',
    cell: ({ detail }) => <code>{detailText(detail)}</code>,
  },
];

const detailText = (detail: AuditRecord['detail']): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

interface Ban {
  readonly subject: string;
  readonly reason: string;
  readonly created_ms: number;
}
export const banColumns: readonly Column<Ban>[] = [
  { title: 'Subject', cell: ({ subject }) => subject },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'Since', cell: ({ created_ms }) => <At ms={created_ms} /> },
];

interface Invitation {
  readonly number: number;
  readonly server_uuid: string | null;
  readonly expires_ms: number;
}
export const invitationColumns: readonly Column<Invitation>[] = [
  { title: '#', cell: ({ number }) => number, isNumber: true },
  { title: 'Server', cell: ({ server_uuid }) => server_uuid ?? 'anyone with the token' },
  { title: 'Expires', cell: ({ expires_ms }) => <At ms={expires_ms} /> },
];
