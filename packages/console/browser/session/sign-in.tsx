import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';

import { Button } from '../controls/button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { Mark } from '../controls/mark.tsx';
import { useResource } from '../loading/use-resource.ts';
import { isSandbox } from './server-kind.ts';
import { clientOf, signIn, wasSignedOut } from './session.ts';

import './sign-in.css';

/** The form for e-mail address and password. */
export function SignInForm({ onDone }: { onDone?: () => void }) {
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    isBusy.value = true;
    error.value = undefined;
    try {
      await signIn(textOf(fields, 'username').trim(), textOf(fields, 'password'));
      onDone?.();
    } catch (problem) {
      error.value = problem;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form class="sign-in-form" onSubmit={(event) => void submit(event)}>
      <label class="field">
        Email
        <input
          class="input"
          name="username"
          type="email"
          autocomplete="username"
          autofocus
          required
        />
      </label>
      <label class="field">
        Password
        <input
          class="input"
          name="password"
          type="password"
          autocomplete="current-password"
          required
        />
      </label>
      <ErrorNotice error={error.value} />
      <Button kind="primary" type="submit" isBusy={isBusy.value}>
        Sign in
      </Button>
      <a href="/accounts/password/reset/">Forgot your password?</a>
    </form>
  );
}

const textOf = (fields: FormData, name: string): string => {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
};

export function SignInPage() {
  const { value } = useResource((signal) => clientOf().serverSettings.get({}, { signal }));
  return (
    <main class="sign-in">
      <Mark />
      <h1>{value?.realm_name === undefined ? 'Sign in' : `Sign in to ${value.realm_name}`}</h1>
      <p class="muted">Chat, bots, phones and push notifications in one place.</p>
      {wasSignedOut.value && (
        <p class="notice info" role="status">
          You were signed out: the session has ended, or the password was changed.
        </p>
      )}
      <SignInForm />
      {isSandbox() && (
        <p class="muted sign-in-hint">
          Open the link printed by npm start to sign in to all accounts of this sandbox at once.
        </p>
      )}
    </main>
  );
}
