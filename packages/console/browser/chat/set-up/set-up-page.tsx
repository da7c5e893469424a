import { MAX_REALM_NAME_LENGTH } from '@bellhop/protocol';
import type { ComponentChildren } from 'preact';

import { BackLink } from '../../controls/back-link.tsx';
import { Button } from '../../controls/button.tsx';
import { DialogButton } from '../../controls/dialog-button.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { TextField } from '../../controls/field.tsx';
import { Icon } from '../../controls/icon.tsx';
import { toast } from '../../controls/toasts.tsx';
import { useAction } from '../../controls/use-action.ts';
import type { LiveAccount } from '../../live/live-account.ts';
import { useResource } from '../../loading/use-resource.ts';
import { href } from '../../navigation/location.ts';
import { InviteDialog } from '../../organization/invitations/invite-dialog.tsx';
import { rightsOf } from '../../organization/rights.ts';

import '../../organization/organization.css';
import { usePageName } from '../../shell/page-title.ts';
import { textOf } from '../../text/text-of.ts';
import { hrefOf } from '../href-of.ts';
import { hideSetUp } from './is-setting-up.ts';
import { openSteps, type SetUpStep } from './open-steps.ts';

import './set-up.css';

interface SetUpPageProps {
  readonly account: LiveAccount;
}

/** The first steps on a new server: each with a form, and what has come of it when it is done. */
export function SetUpPage({ account }: SetUpPageProps) {
  const state = account.state.value;
  usePageName('Set up');
  if (!state) return null;
  const open = openSteps(state, account.user_id);
  const step = (name: SetUpStep) => ({ isDone: !open.includes(name) });
  const [channel] = state.subscriptions ?? [];
  return (
    <section class="set-up" aria-labelledby="set-up-title">
      <header class="set-up-head">
        <BackLink to={href(['chat'])} label="Back to conversations" />
        <h2 id="set-up-title" class="grow">
          Set up {state.realm_name}
        </h2>
        <Button onClick={hideSetUp}>Hide</Button>
      </header>
      <p class="muted">You run a new server. These steps make it a place for your team.</p>
      <ol role="list">
        <Step {...step('name')} title="Name your organization">
          {open.includes('name') ? (
            <NameForm account={account} name={state.realm_name ?? ''} />
          ) : (
            <p class="muted">It is called {state.realm_name}.</p>
          )}
        </Step>
        <Step {...step('channel')} title="Create the first channel">
          {channel ? (
            <a href={hrefOf({ kind: 'channel', channel: channel.stream_id })}>
              Write a message in #{channel.name}
            </a>
          ) : (
            <ChannelForm account={account} />
          )}
        </Step>
        <Step {...step('people')} title="Invite people">
          <Invitations account={account} />
        </Step>
        <Step {...step('bot')} title="Add a bot">
          <p class="muted">
            A bot answers messages with a program of yours. You get its token and a program to start
            with.
          </p>
          <a class="button" href={href(['bots', 'new'])}>
            <Icon name="bot" />
            New bot
          </a>
        </Step>
      </ol>
    </section>
  );
}

interface StepProps {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}

const Step = ({ title, isDone, children }: StepProps) => (
  <li class={isDone ? 'set-up-step done' : 'set-up-step'}>
    <Icon name={isDone ? 'circle-check' : 'circle-dot'} />
    <div class="grow">
      <h3>
        {title}
        {isDone && <span class="visually-hidden">, done</span>}
      </h3>
      {children}
    </div>
  </li>
);

interface LineFormProps {
  readonly label: string;
  readonly hint?: string;
  readonly action: string;
  readonly maxLength: number;
  readonly value?: string;
  readonly send: (text: string) => Promise<unknown>;
}

/** One line of text and the button that sends it. */
function LineForm({ label, hint, action, maxLength, value, send }: LineFormProps) {
  const { error, isBusy, run } = useAction();
  return (
    <form
      class="set-up-form"
      onSubmit={(event) => {
        event.preventDefault();
        run(send(textOf(new FormData(event.currentTarget).get('text')).trim()));
      }}
    >
      <div class="set-up-line">
        <TextField
          label={label}
          hint={hint}
          name="text"
          maxLength={maxLength}
          defaultValue={value}
          autocomplete="off"
          required
        />
        <Button kind="primary" type="submit" isBusy={isBusy.value}>
          {action}
        </Button>
      </div>
      <ErrorNotice error={error.value} />
    </form>
  );
}

const NameForm = ({ account, name }: SetUpPageProps & { readonly name: string }) => (
  <LineForm
    label="Name of the organization"
    action="Save"
    maxLength={MAX_REALM_NAME_LENGTH}
    value={name}
    send={(text) => account.client.realms.update({ name: text })}
  />
);

const MAX_CHANNEL_NAME_LENGTH = 60;

const ChannelForm = ({ account }: SetUpPageProps) => (
  <LineForm
    label="Name of the channel"
    hint="Public, and for everybody who joins: general, for example."
    action="Create"
    maxLength={MAX_CHANNEL_NAME_LENGTH}
    send={async (name) => {
      const subscribers = [account.user_id];
      await account.client.channels.create({ name, subscribers, is_default_stream: true });
      toast(`Channel #${name} created.`);
    }}
  />
);

/** The button that invites, and how many have not accepted yet. */
function Invitations({ account }: SetUpPageProps) {
  const { value, error, refresh } = useResource(() => account.client.invites.list(), [], {
    account,
    on: ({ type }) => type === 'invites_changed',
  });
  const state = account.state.value;
  if (!state) return null;
  const rights = rightsOf(state, account.user_id);
  const count = value?.invites.length ?? 0;
  return (
    <>
      {count > 0 && (
        <p>
          <a href={href(['organization', 'invitations'])}>
            {count === 1 ? '1 invitation' : `${count} invitations`} not accepted yet
          </a>
        </p>
      )}
      <ErrorNotice error={error} onRetry={refresh} />
      <DialogButton label="Invite people" icon="user-plus">
        {(close) => (
          <InviteDialog
            account={account}
            state={state}
            rights={rights}
            mayInvite={rights.may('can_invite_users_group')}
            mayLink={rights.may('create_multiuse_invite_group')}
            onClose={close}
          />
        )}
      </DialogButton>
    </>
  );
}
