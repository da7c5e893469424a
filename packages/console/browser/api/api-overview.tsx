import { BackLink } from '../controls/back-link.tsx';
import { CodeBlock } from '../controls/code-block.tsx';
import { Fact, Facts } from '../controls/facts.tsx';
import { Icon } from '../controls/icon.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { href } from '../navigation/location.ts';
import { callOf } from './api-call.ts';
import { ApiKeyButton } from './api-key-button.tsx';
import { curlText } from './call-text.ts';
import { Method } from './operation-list.tsx';
import type { Operation } from './operations.ts';
import { RunForm } from './run-form.tsx';

/** The operation that is run as an example: it needs no parameters and changes nothing. */
const EXAMPLE = 'users.me';

/** What most programs begin with, in the order in which they need it. */
const FIRST = [
  'messages.send',
  'messages.fetch',
  'queues.register',
  'queues.events',
  'channels.create',
  'bots.create',
];

interface ApiOverviewProps {
  readonly account: LiveAccount;
  readonly operations: readonly Operation[];
}

/** How a program calls the API: address and login, a call to try, and the operations to begin with. */
export function ApiOverview({ account, operations }: ApiOverviewProps) {
  const state = account.state.value;
  const me = state?.realm_users?.find(({ user_id }) => user_id === account.user_id);
  const email = me?.delivery_email ?? me?.email ?? '';
  const site = `${location.origin}/api/v1`;
  const find = (id: string) => operations.find((one) => one.id === id);
  const example = find(EXAMPLE);
  const first = FIRST.flatMap((id) => find(id) ?? []);
  return (
    <section class="operation" aria-labelledby="api-overview">
      <header>
        <div class="row">
          <BackLink to={href(['api'])} label="Back to operations" />
          <h2 id="api-overview">Call this server from a program</h2>
        </div>
        <p class="muted">
          The console, bots and apps use the same API. Every operation can be read and run here, as
          yourself.
        </p>
        <Facts>
          <Fact name="Address" copy={site}>
            <code>{site}</code>
          </Fact>
          <Fact name="User name" copy={email}>
            <code>{email}</code>
          </Fact>
          <Fact name="Password">your API key, by HTTP Basic</Fact>
        </Facts>
        <div>
          <ApiKeyButton account={account} email={email} />
        </div>
      </header>
      {example && (
        <section aria-labelledby="api-example">
          <h3 id="api-example">A first call: who am I?</h3>
          <CodeBlock label="curl" text={curlText(callOf(example, {}), location.origin)} />
          <RunForm account={account} operation={example} />
        </section>
      )}
      <section aria-labelledby="api-first">
        <h3 id="api-first">Where programs begin</h3>
        <ul role="list" class="card-grid">
          {first.map(({ id, method, path, about }) => (
            <li key={id}>
              <a class="card" href={href(['api', id])}>
                <strong>{about.summary}</strong>
                <span class="operation-route mono">
                  <Method name={method} /> {path}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="api-all">
        <h3 id="api-all">All {operations.length} operations</h3>
        <ul role="list" class="api-resources">
          {[...Map.groupBy(operations, ({ resource }) => resource)].map(([resource, members]) => (
            <li key={resource}>
              <a class="button" href={href(['api'], { q: `${resource}.` })}>
                {resource} <span class="muted">{members.length}</span>
              </a>
            </li>
          ))}
        </ul>
        <span class="operation-facts">
          <a class="button" href="/api/docs" target="_blank">
            <Icon name="file" />
            All on one page
          </a>
          <a class="button" href="/api/openapi.json" target="_blank">
            <Icon name="braces" />
            OpenAPI document
          </a>
        </span>
      </section>
    </section>
  );
}
