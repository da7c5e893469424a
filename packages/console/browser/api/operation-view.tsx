import { Icon } from '../controls/icon.tsx';
import { Pill } from '../controls/pill.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { href, query } from '../navigation/location.ts';
import { Method } from './operation-list.tsx';
import type { Operation } from './operations.ts';
import { RunForm } from './run-form.tsx';
import { SchemaRow } from './schema-row.tsx';
import { strings } from './strings.ts';

interface OperationViewProps {
  readonly account: LiveAccount;
  readonly operation: Operation;
}
/** Keys of every success. */
const ENVELOPE = new Set(['result', 'msg', 'ignored_parameters_unsupported']);

/** One operation: its description, parameters and results, and a form that runs it. */
export function OperationView({ account, operation }: OperationViewProps) {
  const { id, method, path, about, parameters } = operation;
  const result = about.responses['200']?.content?.['application/json']?.schema;
  const answers = Object.entries(result?.properties ?? {}).filter(([name]) => !ENVELOPE.has(name));
  return (
    <section class="operation" aria-label={about.summary}>
      <header>
        <div class="row">
          <a
            class="icon-button back"
            href={href(['api'], { q: query.value['q'] })}
            aria-label={strings.back}
          >
            <Icon name="arrow-left" />
          </a>
          <h2>{about.summary}</h2>
        </div>
        <p class="operation-route mono">
          <Method name={method} /> <span>/api/v1{path}</span>
        </p>
        {about.description !== undefined && <p>{about.description}</p>}
        <div class="operation-facts">
          <Pill>{id}</Pill>
          <Pill>{strings.level(about['x-feature-level'])}</Pill>
          <Pill icon="user">
            {strings.mayCall}: {strings.access[about['x-access']] ?? about['x-access']}
          </Pill>
        </div>
        {about['x-permissions'] && (
          <ul class="operation-permissions" aria-label={strings.permissions}>
            {about['x-permissions'].map(({ to, grants }) => (
              <li key={to}>{strings.permission(to, grants.join(', '))}</li>
            ))}
          </ul>
        )}
      </header>
      <RunForm key={id} account={account} operation={operation} />
      <section aria-label={strings.parameters}>
        <h3>{strings.parameters}</h3>
        {parameters.length === 0 ? (
          <p class="muted">{strings.noParameters}</p>
        ) : (
          <dl class="schema-rows">
            {parameters.map(({ name, in: place, isRequired, description, schema }) => (
              <SchemaRow
                key={name}
                name={name}
                schema={{ ...schema, description }}
                notes={[strings.in[place], ...(isRequired ? [strings.required] : [])]}
              />
            ))}
          </dl>
        )}
      </section>
      {answers.length > 0 && (
        <section aria-label={strings.result}>
          <h3>{strings.result}</h3>
          <dl class="schema-rows">
            {answers.map(([name, schema]) => (
              <SchemaRow key={name} name={name} schema={schema} notes={[]} />
            ))}
          </dl>
        </section>
      )}
      <Errors operation={operation} />
      <section aria-label={strings.events}>
        <h3>{strings.events}</h3>
        {about['x-emits'].length === 0 ? (
          <p class="muted">{strings.noEvents}</p>
        ) : (
          <p class="operation-facts">
            <span class="muted">{strings.eventsText}</span>
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
    <section aria-label={strings.errors}>
      <h3>{strings.errors}</h3>
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
