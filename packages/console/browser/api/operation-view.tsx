import { BackLink } from '../controls/back-link.tsx';
import { Pill } from '../controls/pill.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { href, query } from '../navigation/location.ts';
import { usePageName } from '../shell/page-title.ts';
import { Method } from './operation-list.tsx';
import type { Operation } from './operations.ts';
import { RunForm } from './run-form.tsx';
import { SchemaRow } from './schema-row.tsx';

const placeNames = {
  path: 'in the path',
  query: 'in the query',
  body: 'in the body',
  header: 'a header',
};

const accessNames = {
  anyone: 'anyone, no login required',
  optional: 'anyone; signed-in users see more',
  user: 'all users',
  human: 'people, not bots',
  bot: 'bots only',
  member: 'members, not guests',
  moderator: 'moderators and above',
  admin: 'administrators and owners',
  owner: 'owners',
  server: 'chat servers',
} as Readonly<Record<string, string>>;

interface OperationViewProps {
  readonly account: LiveAccount;
  readonly operation: Operation;
}
/** Keys of every success. */
const ENVELOPE = new Set(['result', 'msg', 'ignored_parameters_unsupported']);

/** One operation: its description, parameters and results, and a form that runs it. */
export function OperationView({ account, operation }: OperationViewProps) {
  const { id, method, path, about, parameters } = operation;
  usePageName(about.summary);
  const result = about.responses['200']?.content?.['application/json']?.schema;
  const answers = Object.entries(result?.properties ?? {}).filter(([name]) => !ENVELOPE.has(name));
  return (
    <section class="operation" aria-label={about.summary}>
      <header>
        <div class="row">
          <BackLink to={href(['api'], { q: query.value['q'] })} label="Back to operations" />
          <h2>{about.summary}</h2>
        </div>
        <p class="operation-route mono">
          <Method name={method} /> <span>/api/v1{path}</span>
        </p>
        {about.description !== undefined && <p>{about.description}</p>}
        <div class="operation-facts">
          <Pill>{id}</Pill>
          <Pill>feature level {about['x-feature-level']}</Pill>
          <Pill icon="user">
            Who can call it: {accessNames[about['x-access']] ?? about['x-access']}
          </Pill>
        </div>
        {about['x-permissions'] && (
          <ul class="operation-permissions" aria-label="Permissions">
            {about['x-permissions'].map(({ to, grants }) => (
              <li key={to}>
                to {to}: {grants.join(', ')}
              </li>
            ))}
          </ul>
        )}
      </header>
      <RunForm key={id} account={account} operation={operation} />
      <section aria-label="Parameters">
        <h3>Parameters</h3>
        {parameters.length === 0 ? (
          <p class="muted">No parameters.</p>
        ) : (
          <dl class="schema-rows">
            {parameters.map(({ name, in: place, isRequired, description, schema }) => (
              <SchemaRow
                key={name}
                name={name}
                schema={{ ...schema, description }}
                notes={[placeNames[place], ...(isRequired ? ['required'] : [])]}
              />
            ))}
          </dl>
        )}
      </section>
      {answers.length > 0 && (
        <section aria-label="Result">
          <h3>Result</h3>
          <dl class="schema-rows">
            {answers.map(([name, schema]) => (
              <SchemaRow key={name} name={name} schema={schema} notes={[]} />
            ))}
          </dl>
        </section>
      )}
      <Errors operation={operation} />
      <section aria-label="Events">
        <h3>Events</h3>
        {about['x-emits'].length === 0 ? (
          <p class="muted">No events.</p>
        ) : (
          <p class="operation-facts">
            <span class="muted">Sent to the event queues of affected users:</span>
            {about['x-emits'].map((type) => (
              <code key={type} class="event-type">
                {type}
              </code>
            ))}
          </p>
        )}
      </section>
    </section>
  );
}

const Errors = ({ operation: { about } }: { operation: Operation }) => {
  const failures = Object.entries(about.responses).filter(([status]) => Number(status) >= 400);
  return (
    <section aria-label="Errors">
      <h3>Errors</h3>
      <dl class="schema-rows">
        {failures.flatMap(([status, { description }]) =>
          description.split('\n\n').map((line) => {
            const [code = '', ...rest] = line.split(': ');
            return (
              <div key={code}>
                <dt>
                  <code>{code}</code> <span class="muted">{status}</span>
                </dt>
                <dd>{rest.join(': ')}</dd>
              </div>
            );
          }),
        )}
      </dl>
    </section>
  );
};
