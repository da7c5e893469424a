import { useSignal } from '@preact/signals';

import { DialogButton } from '../controls/dialog-button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { Command } from '../controls/empty.tsx';
import { TextField } from '../controls/field.tsx';
import { Form } from '../controls/form.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { textOf } from '../text/text-of.ts';

interface ApiKeyProps {
  readonly account: LiveAccount;
  /** The address with which the user signs in. */
  readonly email: string;
}

/** A button that shows the user's API key, for their password: the page itself works without the key. */
export const ApiKeyButton = (props: ApiKeyProps) => (
  <DialogButton label="Show API key" icon="lock">
    {(close) => <ApiKeyDialog {...props} onClose={close} />}
  </DialogButton>
);

function ApiKeyDialog({ account, email, onClose }: ApiKeyProps & { onClose: () => void }) {
  const key = useSignal<string | undefined>(undefined);
  return (
    <Dialog title="Your API key" onClose={onClose}>
      {key.value === undefined ? (
        <Form
          action="Show API key"
          send={(fields) =>
            account.client.accounts.fetchApiKey({
              username: email,
              password: textOf(fields.get('password')),
            })
          }
          onSent={({ api_key }) => (key.value = api_key)}
        >
          <p>A program that has this key acts as you. For a bot, create one: it has its own key.</p>
          <TextField
            label="Your password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
          />
        </Form>
      ) : (
        <>
          <p>Keep it where only your programs can read it, for example in BELLHOP_API_KEY.</p>
          <Command text={key.value} />
        </>
      )}
    </Dialog>
  );
}
