import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { Button } from '../controls/button.tsx';
import { CopyAs } from '../controls/copy-as.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { TextField } from '../controls/field.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { account as shownAccount } from '../session/session.ts';
import { textOf } from '../text/text-of.ts';
import { type Answer, AnswerView } from './answer-view.tsx';
import { type ApiCall, callOf, faultOf, type Values } from './api-call.ts';
import { curlText, javaScriptText, pythonText } from './call-text.ts';
import type { Operation } from './operations.ts';
import { ParameterField } from './parameter-field.tsx';
import { runCall } from './run-call.ts';

interface RunFormProps {
  readonly account: LiveAccount;
  readonly operation: Operation;
}

/** A form with the parameters of an operation that runs it as the signed-in user. */
export function RunForm({ account, operation }: RunFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const error = useSignal<unknown>(undefined);
  const answer = useSignal<Answer | undefined>(undefined);
  const running = useSignal<AbortController | undefined>(undefined);
  useEffect(() => () => running.peek()?.abort(), []);
  const { body, parameters } = operation;

  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const values = valuesOf(operation, fields);
    error.value = faultOf(operation, values);
    if (error.value !== undefined) return;
    const stopping = new AbortController();
    running.value = stopping;
    const file = fields.get('(file)');
    try {
      answer.value = await runCall(account.user_id, callOf(operation, values), {
        file: file instanceof File && file.size > 0 ? file : undefined,
        signal: stopping.signal,
      });
    } catch (problem) {
      error.value = stopping.signal.aborted ? 'Stopped.' : problem;
    } finally {
      running.value = undefined;
    }
  };
  const copy = (write: (call: ApiCall, site: string) => string) => () =>
    write(
      callOf(operation, form.current ? valuesOf(operation, new FormData(form.current)) : {}),
      location.origin,
    );
  return (
    <section class="run" aria-label="Run it">
      <form ref={form} class="run-form" onSubmit={(event) => void submit(event)}>
        {parameters.length > 0 && (
          <div class="run-fields">
            {parameters.map((parameter) => (
              <ParameterField key={parameter.name} parameter={parameter} />
            ))}
          </div>
        )}
        {body === 'multipart' && <TextField label="File" type="file" name="(file)" required />}
        <ErrorNotice error={error.value} />
        <div class="run-actions">
          {/* Keys: else the button that stops would become the one that submits, under the click. */}
          {running.value ? (
            <Button key="stop" icon="x" onClick={() => running.peek()?.abort()}>
              Stop
            </Button>
          ) : (
            <Button key="run" kind="primary" type="submit" icon="play">
              Run as {shownAccount.value?.full_name ?? ''}
            </Button>
          )}
          <CopyAs label="Copy as curl" text={copy(curlText)} />
          <CopyAs label="Copy as JavaScript" text={copy(javaScriptText)} />
          <CopyAs label="Copy as Python" text={copy(pythonText)} />
        </div>
        <small class="muted">
          Set BELLHOP_EMAIL and BELLHOP_API_KEY to your email and API key.
        </small>
      </form>
      {answer.value && <AnswerView answer={answer.value} />}
    </section>
  );
}

const valuesOf = ({ parameters }: Operation, fields: FormData): Values =>
  Object.fromEntries(parameters.map(({ name }) => [name, textOf(fields.get(name))]));
