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
  { title: strings.app, cell: ({ app }) => app ?? '-' },
  { title: strings.provider, cell: ({ provider }) => provider },
  { title: strings.sender, cell: ({ sender }) => sender ?? '-' },
  { title: strings.state, cell: ({ state }) => <State name={state} /> },
  { title: strings.reason, cell: ({ reason }) => reason ?? '' },
  { title: strings.devices, cell: ({ devices }) => devices, isNumber: true },
  { title: strings.quarantined, cell: ({ quarantined }) => quarantined, isNumber: true },
  { title: strings.dead, cell: ({ dead }) => dead, isNumber: true },
];

export const keyColumns: readonly Column<OperatedKey>[] = [
  { title: strings.key, cell: ({ public_key }) => <Code text={public_key} /> },
  { title: strings.state, cell: ({ state }) => <State name={state} /> },
  { title: strings.keptIn, cell: ({ kept_in }) => kept_in },
  { title: strings.devices, cell: ({ devices }) => devices, isNumber: true },
  {
    title: strings.verdict,
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
  { title: strings.provider, cell: ({ provider }) => <Provider name={provider} /> },
  { title: strings.server, cell: ({ server_uuid }) => <Id text={server_uuid} /> },
  { title: strings.device, cell: ({ device_id }) => device_id, isNumber: true },
  { title: strings.attempts, cell: ({ attempts }) => attempts, isNumber: true },
  {
    title: strings.next,
    cell: ({ next_attempt_ms }) => <Next ms={next_attempt_ms} />,
  },
  { title: strings.reason, cell: ({ reason }) => reason ?? '' },
];

export type TracedPush = BouncerTrace & { readonly at_ms: number };

const retryOf = ({ outcome, stages }: TracedPush): number | null => {
  const at = outcome === 'queued' ? stages.at(-1)?.retry_at : undefined;
  return at === undefined || at === null ? null : at * 1000;
};

export const pushColumns: readonly Column<TracedPush>[] = [
  { title: strings.push, cell: ({ cipher_id }) => <Code text={cipher_id} /> },
  { title: strings.provider, cell: ({ provider }) => <Provider name={provider} /> },
  { title: strings.device, cell: ({ device_id }) => device_id, isNumber: true },
  { title: strings.outcome, cell: ({ outcome }) => <Outcome name={outcome} /> },
  {
    title: strings.attempts,
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
    title: strings.explanation,
    cell: (push) => (
      <>
        {push.explanation} {push.outcome === 'queued' && <Next ms={retryOf(push)} />}
      </>
    ),
  },
];

export const feedbackColumns: readonly Column<LoggedFeedback>[] = [
  { title: strings.server, cell: ({ server_uuid }) => <Id text={server_uuid} /> },
  { title: strings.push, cell: ({ push_id }) => <Id text={push_id} /> },
  { title: strings.device, cell: ({ device_id }) => device_id ?? '-', isNumber: true },
  { title: strings.provider, cell: ({ provider }) => <Provider name={provider} /> },
  { title: strings.outcome, cell: ({ outcome }) => <Outcome name={outcome} /> },
  { title: strings.reason, cell: ({ reason }) => reason ?? '' },
];

export const auditColumns: readonly Column<AuditRecord>[] = [
  { title: strings.actor, cell: ({ actor }) => actor },
  {
    title: strings.action,
    cell: ({ action }) => (
      <FilterValue name="action" value={action}>
        {action.replaceAll('_', ' ')}
      </FilterValue>
    ),
  },
  {
    title: strings.server,
    cell: ({ server_uuid }) => (server_uuid === null ? '-' : <Id text={server_uuid} />),
  },
  {
    title: strings.detail,
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
  { title: strings.subject, cell: ({ subject }) => subject },
  { title: strings.reason, cell: ({ reason }) => reason },
  { title: strings.since, cell: ({ created_ms }) => <At ms={created_ms} /> },
];

interface Invitation {
  readonly number: number;
  readonly server_uuid: string | null;
  readonly expires_ms: number;
}
export const invitationColumns: readonly Column<Invitation>[] = [
  { title: '#', cell: ({ number }) => number, isNumber: true },
  { title: strings.server, cell: ({ server_uuid }) => server_uuid ?? strings.anybody },
  { title: strings.expires, cell: ({ expires_ms }) => <At ms={expires_ms} /> },
];
