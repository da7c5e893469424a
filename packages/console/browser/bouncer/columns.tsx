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
import { FilterValue } from '../records/filter-field.tsx';
import type { Column } from './data-table.tsx';
import { strings } from './strings.ts';

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
  { head: strings.app, cell: ({ app }) => app ?? '-' },
  { head: strings.provider, cell: ({ provider }) => provider },
  { head: strings.sender, cell: ({ sender }) => sender ?? '-' },
  { head: strings.state, cell: ({ state }) => <State name={state} /> },
  { head: strings.reason, cell: ({ reason }) => reason ?? '' },
  { head: strings.devices, cell: ({ devices }) => devices, isNumber: true },
  { head: strings.quarantined, cell: ({ quarantined }) => quarantined, isNumber: true },
  { head: strings.dead, cell: ({ dead }) => dead, isNumber: true },
];

export const keyColumns: readonly Column<OperatedKey>[] = [
  { head: strings.key, cell: ({ public_key }) => <Code text={public_key} /> },
  { head: strings.state, cell: ({ state }) => <State name={state} /> },
  { head: strings.keptIn, cell: ({ kept_in }) => kept_in },
  { head: strings.devices, cell: ({ devices }) => devices, isNumber: true },
  {
    head: strings.verdict,
    cell: ({ can_retire, verdict }) => (
      <span>
        <b>{can_retire ? strings.canRetire : strings.keep}</b>: {verdict}
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
      {strings.in} <Countdown to={ms} due={strings.due} />
    </span>
  );

export const queueColumns: readonly Column<QueuedNotification>[] = [
  { head: strings.provider, cell: ({ provider }) => <Provider name={provider} /> },
  { head: strings.server, cell: ({ server_uuid }) => <Id text={server_uuid} /> },
  { head: strings.device, cell: ({ device_id }) => device_id, isNumber: true },
  { head: strings.attempts, cell: ({ attempts }) => attempts, isNumber: true },
  {
    head: strings.next,
    cell: ({ next_attempt_ms }) => <Next ms={next_attempt_ms} />,
  },
  { head: strings.reason, cell: ({ reason }) => reason ?? '' },
];

export type TracedPush = BouncerTrace & { readonly at_ms: number };

const retryOf = ({ outcome, stages }: TracedPush): number | null => {
  const at = outcome === 'queued' ? stages.at(-1)?.retry_at : undefined;
  return at === undefined || at === null ? null : at * 1000;
};

export const pushColumns: readonly Column<TracedPush>[] = [
  { head: strings.push, cell: ({ cipher_id }) => <Code text={cipher_id} /> },
  { head: strings.provider, cell: ({ provider }) => <Provider name={provider} /> },
  { head: strings.device, cell: ({ device_id }) => device_id, isNumber: true },
  { head: strings.outcome, cell: ({ outcome }) => <Outcome name={outcome} /> },
  {
    head: strings.attempts,
    cell: ({ stages }) => (
      <ul role="list" class="attempts">
        {stages
          .flatMap(({ attempts }) => attempts)
          .map(({ number, started_ms, status, reason, verdict }) => (
            <li key={started_ms}>
              {strings.attempt(number, [status ?? '-', reason ?? ''].join(' ').trim(), verdict)}
            </li>
          ))}
      </ul>
    ),
  },
  {
    head: strings.explanation,
    cell: (push) => (
      <>
        {push.explanation} {push.outcome === 'queued' && <Next ms={retryOf(push)} />}
      </>
    ),
  },
];

export const feedbackColumns: readonly Column<LoggedFeedback>[] = [
  { head: strings.server, cell: ({ server_uuid }) => <Id text={server_uuid} /> },
  { head: strings.push, cell: ({ push_id }) => <Id text={push_id} /> },
  { head: strings.device, cell: ({ device_id }) => device_id ?? '-', isNumber: true },
  { head: strings.provider, cell: ({ provider }) => <Provider name={provider} /> },
  { head: strings.outcome, cell: ({ outcome }) => <Outcome name={outcome} /> },
  { head: strings.reason, cell: ({ reason }) => reason ?? '' },
];

export const auditColumns: readonly Column<AuditRecord>[] = [
  { head: strings.actor, cell: ({ actor }) => actor },
  {
    head: strings.action,
    cell: ({ action }) => (
      <FilterValue name="action" value={action}>
        {action.replaceAll('_', ' ')}
      </FilterValue>
    ),
  },
  {
    head: strings.server,
    cell: ({ server_uuid }) => (server_uuid === null ? '-' : <Id text={server_uuid} />),
  },
  {
    head: strings.detail,
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
  { head: strings.subject, cell: ({ subject }) => subject },
  { head: strings.reason, cell: ({ reason }) => reason },
  { head: strings.since, cell: ({ created_ms }) => <At ms={created_ms} /> },
];

interface Invitation {
  readonly number: number;
  readonly server_uuid: string | null;
  readonly expires_ms: number;
}
export const invitationColumns: readonly Column<Invitation>[] = [
  { head: '#', cell: ({ number }) => number, isNumber: true },
  { head: strings.server, cell: ({ server_uuid }) => server_uuid ?? strings.anybody },
  { head: strings.expires, cell: ({ expires_ms }) => <At ms={expires_ms} /> },
];
