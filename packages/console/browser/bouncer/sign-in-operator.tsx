import { Button } from '../controls/button.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { TextField } from '../controls/field.tsx';
import { Mark } from '../controls/mark.tsx';
import { useAction } from '../controls/use-action.ts';
import { textOf } from '../text/text-of.ts';
import { signInOperator } from './operator-client.ts';

import '../session/sign-in.css';
import { strings } from './strings.ts';

/** Asks for the operator token. */
export function SignInOperator() {
  const { error, isBusy, run } = useAction();
  return (
    <main class="sign-in">
      <Mark />
      <h1>{strings.signInTitle}</h1>
      <p class="muted">{strings.signInLead}</p>
      <form
        class="sign-in-form"
        onSubmit={(event) => {
          event.preventDefault();
          run(signInOperator(textOf(new FormData(event.currentTarget).get('token')).trim()));
        }}
      >
        <TextField
          label={strings.token}
          hint={strings.tokenHint}
          name="token"
          type="password"
          autocomplete="current-password"
          required
        />
        <ErrorNotice error={error.value} />
        <Button kind="primary" type="submit" isBusy={isBusy.value}>
          {strings.signIn}
        </Button>
      </form>
    </main>
  );
}
