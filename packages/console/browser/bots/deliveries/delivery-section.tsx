import type { BotDeliveryDetails, DeliveryAttempt } from '@bellhop/protocol';

import { BodyView } from '../../json/body-view.tsx';
import { Lazy } from '../../shell/lazy.tsx';
import { Timing } from './timing.tsx';

/** The tabs of a delivery. */
export const sections = {
  response: 'Response',
  request: 'Request',
  timing: 'Timing',
  diff: 'Diff',
};

interface DeliverySectionProps {
  readonly delivery: BotDeliveryDetails;
  /** The chosen attempt; undefined before the first one. */
  readonly attempt: DeliveryAttempt | undefined;
  readonly section: keyof typeof sections;
  readonly isOwn: boolean;
}

const loadAttemptsDiff = async () => (await import('./attempts-diff.tsx')).AttemptsDiff;

/** The request, the answer and the timing of one attempt. */
export function DeliverySection({ delivery, attempt, section, isOwn }: DeliverySectionProps) {
  if (section === 'diff' && attempt)
    return <Lazy load={loadAttemptsDiff} props={{ delivery, attempt }} />;
  if (section === 'request') return <Request delivery={delivery} attempt={attempt} isOwn={isOwn} />;
  if (!attempt) return <p class="muted">Nothing has been sent yet.</p>;
  return section === 'timing' ? (
    <Timing attempt={attempt} />
  ) : (
    <Response delivery={delivery} attempt={attempt} isOwn={isOwn} />
  );
}

type SectionProps = Omit<DeliverySectionProps, 'section'>;

const Request = ({ delivery: { payload }, attempt, isOwn }: SectionProps) => (
  <>
    {attempt && <p class="mono url">POST {attempt.request.url}</p>}
    {payload === null ? (
      <p class="muted">
        {isOwn
          ? 'Not sent yet.'
          : 'Only the owner of the bot at the time can see what was sent and received.'}
      </p>
    ) : (
      <BodyView title="Payload" text={payload} />
    )}
    {attempt && <Headers headers={attempt.request.headers} />}
  </>
);

const Response = ({ delivery, attempt, isOwn }: SectionProps & { attempt: DeliveryAttempt }) => {
  const { response, error, verdict } = attempt;
  return (
    <>
      {delivery.attempts.length > 1 && <p class="verdict">{verdict}</p>}
      {error?.near && (
        <p>
          Invalid JSON here: <code>{error.near}</code>
        </p>
      )}
      {response ? (
        <>
          <p>
            Status: <strong class="time-strong">{response.status}</strong>
          </p>
          {response.body === null ? (
            !isOwn && (
              <p class="muted">
                Only the owner of the bot at the time can see what was sent and received.
              </p>
            )
          ) : (
            <BodyView
              title="Body"
              text={response.body}
              note={response.truncated ? 'truncated at 64 KiB' : undefined}
            />
          )}
          {response.headers && <Headers headers={response.headers} />}
        </>
      ) : (
        <p class="muted">No response.</p>
      )}
    </>
  );
};

const Headers = ({ headers }: { headers: Readonly<Record<string, string>> }) => (
  <section aria-label="Headers">
    <h3>Headers</h3>
    <dl class="headers">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </section>
);
