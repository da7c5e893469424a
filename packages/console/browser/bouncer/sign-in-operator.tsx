import { Button } from '../controls/button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { TextField } from '../controls/field.tsx';
import { Mark } from '../controls/mark.tsx';
import { useAction } from '../controls/use-action.ts';
import { textOf } from '../text/text-of.ts';
import { signInOperator } from './operator-client.ts';

import '../session/sign-in.css';

/** Asks for the operator token. */
export function SignInOperator() {
  const { error, isBusy, run } = useAction();
  return (
    <main class="sign-in">
      <Mark />
      <h1>Sign in as the operator</h1>
      <p class="muted">
        Operators can see servers, keys, the queue and delivery results, but never message text or
        device tokens.
      </p>
      <form
        class="sign-in-form"
        onSubmit={(event) => {
          event.preventDefault();
          run(signInOperator(textOf(new FormData(event.currentTarget).get('token')).trim()));
        }}
      >
        <TextField
          label="Operator token"
          hint="The bouncer's BELLHOP_BOUNCER_OPERATOR_TOKEN"
          name="token"
          type="password"
          autocomplete="current-password"
          required
        />
        <ErrorNotice error={error.value} />
        <Button kind="primary" type="submit" isBusy={isBusy.value}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
