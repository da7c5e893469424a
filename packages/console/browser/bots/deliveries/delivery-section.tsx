import type { BotDeliveryDetails, DeliveryAttempt } from '@bellhop/protocol';

import { BodyView } from '../../json/body-view.tsx';
import { Lazy } from '../../shell/lazy.tsx';
import { strings } from './strings.ts';
import { Timing } from './timing.tsx';

interface DeliverySectionProps {
  readonly delivery: BotDeliveryDetails;
  /** The chosen attempt; undefined before the first one. */
  readonly attempt: DeliveryAttempt | undefined;
  readonly section: keyof typeof strings.sections;
  readonly isOwn: boolean;
}

const loadAttemptsDiff = async () => (await import('./attempts-diff.tsx')).AttemptsDiff;

/** The request, the answer and the timing of one attempt. */
export function DeliverySection({ delivery, attempt, section, isOwn }: DeliverySectionProps) {
  if (section === 'diff' && attempt)
    return <Lazy load={loadAttemptsDiff} props={{ delivery, attempt }} />;
  if (section === 'request') return <Request delivery={delivery} attempt={attempt} isOwn={isOwn} />;
  if (!attempt) return <p class="muted">{strings.notSent}</p>;
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
      <p class="muted">{isOwn ? strings.noPayload : strings.ownerOnly}</p>
    ) : (
      <BodyView title={strings.payload} text={payload} />
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
          {strings.near}: <code>{error.near}</code>
        </p>
      )}
      {response ? (
        <>
          <p>
            {strings.statusLine}: <strong class="time-strong">{response.status}</strong>
          </p>
          {response.body === null ? (
            !isOwn && <p class="muted">{strings.ownerOnly}</p>
          ) : (
            <BodyView
              title={strings.body}
              text={response.body}
              note={response.truncated ? strings.cut : undefined}
            />
          )}
          {response.headers && <Headers headers={response.headers} />}
        </>
      ) : (
        <p class="muted">{strings.noResponse}</p>
      )}
    </>
  );
};

const Headers = ({ headers }: { headers: Readonly<Record<string, string>> }) => (
  <section aria-label={strings.headers}>
    <h3>{strings.headers}</h3>
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
