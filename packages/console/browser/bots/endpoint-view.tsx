import type { Bot, BotDelivery, WebhookEndpoint } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../controls/button.tsx';
import { durationText } from '../controls/duration-text.ts';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { Fact, Facts } from '../controls/facts.tsx';
import { Time } from '../controls/time.tsx';
import { useAction } from '../controls/use-action.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { useResource } from '../loading/use-resource.ts';
import { Loading } from '../shell/part-view.tsx';
import { CheckSteps, type Step } from './check-steps.tsx';
import { HealthMark } from './health-mark.tsx';

const endpointTexts = {
  working: 'The endpoint is responding.',
  failing: 'The most recent attempts failed.',
  disabled: 'The server has stopped calling the endpoint.',
};

interface EndpointViewProps {
  readonly account: LiveAccount;
  readonly bot: Bot;
}
/** Deliveries in quick succession cause one request for the state of the endpoint. */
const SETTLED_MS = 500;

const hasEnded = ({ status }: BotDelivery) => status !== 'pending' && status !== 'running';

/** The health of the endpoint of an own bot, and a check whether the server reaches it. */
export function EndpointView({ account, bot: { user_id: bot_id } }: EndpointViewProps) {
  const found = useResource(
    async () => (await account.client.botDeliveries.endpoint({ bot_id })).endpoint,
    [bot_id],
    {
      account,
      on: (event) =>
        (event.type === 'bot_endpoint' && event.bot_id === bot_id) ||
        (event.type === 'bot_delivery' &&
          event.delivery.bot_id === bot_id &&
          hasEnded(event.delivery)),
      settleMs: SETTLED_MS,
    },
  );
  const steps = useSignal<readonly Step[]>([]);
  const { error, isBusy, run } = useAction();
  const check = () =>
    run(account.client.botDeliveries.check({ bot_id }), (answer) => (steps.value = answer.steps));
  return (
    <div class="bot-setup">
      <ErrorNotice error={found.error} onRetry={found.refresh} />
      {found.value ? (
        <EndpointFacts endpoint={found.value} />
      ) : (
        found.error === undefined && <Loading />
      )}
      <section class="setup-section" aria-label="Check endpoint">
        <h3>Check endpoint</h3>
        <p class="muted">
          Looks up the host name, checks that the address is allowed, connects, and sends a request.
          Nothing is stored, and the bot receives no message.
        </p>
        <div>
          <Button icon="route" kind="primary" isBusy={isBusy.value} onClick={check}>
            Check endpoint
          </Button>
        </div>
        <ErrorNotice error={error.value} />
        {steps.value.length > 0 && <CheckSteps steps={steps.value} />}
      </section>
    </div>
  );
}

function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { state, reason, payload_url, p50_ms, p95_ms } = endpoint;
  return (
    <section class="setup-section" aria-label="Endpoint">
      <div class="row">
        <HealthMark health={state === 'working' && p50_ms === null ? 'unknown' : state} />
        <span>{reason ?? (p50_ms === null ? '' : endpointTexts[state])}</span>
      </div>
      <Facts>
        <Fact name="Payload URL">
          <span class="mono">{payload_url}</span>
        </Fact>
        {endpoint.failing_since_ms !== null && (
          <Fact name="Failing since">
            <Time seconds={endpoint.failing_since_ms / 1000} />
          </Fact>
        )}
        {endpoint.next_attempt_ms !== null && (
          <Fact name="Next attempt">
            <Time seconds={endpoint.next_attempt_ms / 1000} />
          </Fact>
        )}
        {p50_ms !== null && p95_ms !== null && (
          <>
            <Fact name="Median response time">
              {durationText(p50_ms)} <span class="muted">over the last 200 deliveries</span>
            </Fact>
            <Fact name="95th percentile">{durationText(p95_ms)}</Fact>
          </>
        )}
      </Facts>
    </section>
  );
}
