import type { InitialState } from '@bellhop/protocol';
import type { ComponentChildren } from 'preact';

import { BackLink } from '../../controls/back-link.tsx';
import { ConfirmButton, DialogButton } from '../../controls/dialog-button.tsx';
import { Empty } from '../../controls/empty.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { Tabs } from '../../controls/tabs.tsx';
import { Time } from '../../controls/time.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { useResource } from '../../loading/use-resource.ts';
import { go, href } from '../../navigation/location.ts';
import { usePageName } from '../../shell/page-title.ts';
import { type Destination, viewOfDestination } from '../compose/destination.ts';
import { ScheduleDialog } from '../compose/schedule-dialog.tsx';
import { SnippetDialog } from '../compose/snippet-dialog.tsx';
import { hrefOf } from '../href-of.ts';
import { type LaterTab, laterHref, laterTabs } from '../later-href.ts';
import { MessageContent } from '../message-content.tsx';
import { titleOf } from '../names.ts';

import './later.css';

interface LaterProps {
  readonly account: LiveAccount;
  readonly tab: LaterTab;
}

/** What the user has begun or put off: drafts, scheduled messages, reminders, snippets. */
export function Later({ account, tab }: LaterProps) {
  const state = account.state.value;
  usePageName(laterTabs[tab]);
  if (!state) return null;
  return (
    <section class="later" aria-label="Drafts and later">
      <header class="page-head">
        <BackLink to={href(['chat'])} label="Back to conversations" />
        <h2 class="grow clip">Drafts and later</h2>
        {tab === 'snippets' && <NewSnippet account={account} />}
      </header>
      <Tabs
        label="Drafts and later"
        tabs={laterTabs}
        chosen={tab}
        onChoose={(next) => go(laterHref(next), { replace: true })}
      >
        <div class="later-list">{lists[tab](account, state)}</div>
      </Tabs>
    </section>
  );
}

const NewSnippet = ({ account }: { account: LiveAccount }) => (
  <DialogButton label="New snippet" icon="plus">
    {(close) => <SnippetDialog account={account} onClose={close} />}
  </DialogButton>
);

const lists: Readonly<
  Record<LaterTab, (account: LiveAccount, state: InitialState) => ComponentChildren>
> = { drafts, scheduled, reminders, snippets };

function drafts(account: LiveAccount, state: InitialState) {
  const all = state.drafts ?? [];
  if (all.length === 0)
    return (
      <Empty icon="pencil" title="No drafts">
        <p>
          {state.user_settings?.enable_drafts_synchronization === false
            ? 'You have switched off that drafts are kept on the server.'
            : 'What you write and do not send is kept here, on all your devices.'}
        </p>
      </Empty>
    );
  return all.map(({ id, type, to, topic, content, timestamp }) => {
    const [channel = 0] = to;
    const place: Destination | undefined =
      type === 'stream'
        ? { type: 'channel', channel, topic }
        : type === 'private'
          ? { type: 'direct', users: to }
          : undefined;
    return (
      <Row
        key={id}
        {...(place && placeOf(account, state, place))}
        text={content}
        seconds={timestamp}
      >
        <DeleteButton what="draft" run={() => account.client.drafts.remove({ draft_id: id })}>
          Its text is lost.
        </DeleteButton>
      </Row>
    );
  });
}

function scheduled(account: LiveAccount, state: InitialState) {
  const all = state.scheduled_messages ?? [];
  if (all.length === 0)
    return (
      <Empty icon="clock" title="No scheduled messages">
        <p>The clock beside Send sends a message later.</p>
      </Empty>
    );
  return all.map((one) => {
    const { scheduled_message_id, content, scheduled_delivery_timestamp: seconds, failed } = one;
    const to: Destination =
      one.type === 'stream'
        ? { type: 'channel', channel: one.to, topic: one.topic }
        : { type: 'direct', users: one.to };
    return (
      <Row
        key={scheduled_message_id}
        {...placeOf(account, state, to)}
        text={content}
        seconds={seconds}
        problem={failed && 'Could not be sent. Choose a new time, or delete it.'}
      >
        <DialogButton label="Edit scheduled message" icon="pencil" kind="icon">
          {(close) => (
            <ScheduleDialog
              account={account}
              to={to}
              content={content}
              scheduled={one}
              onClose={close}
            />
          )}
        </DialogButton>
        <DeleteButton
          what="scheduled message"
          run={() => account.client.scheduledMessages.remove({ scheduled_message_id })}
        >
          It will not be sent.
        </DeleteButton>
      </Row>
    );
  });
}

function reminders(account: LiveAccount, state: InitialState) {
  const all = state.reminders ?? [];
  if (all.length === 0)
    return (
      <Empty icon="alarm-clock" title="No reminders">
        <p>The menu of a message has “Remind me”.</p>
      </Empty>
    );
  return all.map(({ reminder_id, content, scheduled_delivery_timestamp: seconds, failed }) => (
    <Row
      key={reminder_id}
      title="Reminder"
      text={<ReminderText account={account} content={content} />}
      seconds={seconds}
      problem={failed && 'Could not be sent.'}
    >
      <DeleteButton what="reminder" run={() => account.client.reminders.remove({ reminder_id })}>
        You will not be reminded.
      </DeleteButton>
    </Row>
  ));
}

interface ReminderTextProps {
  readonly account: LiveAccount;
  readonly content: string;
}

/** What the reminder will say: it has links to the message and its sender. */
function ReminderText({ account, content }: ReminderTextProps) {
  const { value, error, refresh } = useResource(
    () => account.client.messages.render({ content }),
    [content],
  );
  return value ? (
    <MessageContent html={value.rendered} account={account} />
  ) : (
    <ErrorNotice error={error} onRetry={refresh} />
  );
}

function snippets(account: LiveAccount, state: InitialState) {
  const all = state.saved_snippets ?? [];
  if (all.length === 0)
    return (
      <Empty icon="message-square-text" title="No snippets">
        <p>A snippet is a text that you write often. The message box puts it in.</p>
      </Empty>
    );
  return all.map((snippet) => (
    <Row key={snippet.id} title={snippet.title} text={snippet.content}>
      <DialogButton label="Edit snippet" icon="pencil" kind="icon">
        {(close) => <SnippetDialog account={account} snippet={snippet} onClose={close} />}
      </DialogButton>
      <DeleteButton
        what="snippet"
        title={`Delete ${snippet.title}?`}
        run={() => account.client.savedSnippets.remove({ saved_snippet_id: snippet.id })}
      >
        Its text is lost.
      </DeleteButton>
    </Row>
  ));
}

function placeOf(account: LiveAccount, state: InitialState, to: Destination) {
  const view = viewOfDestination(to);
  return { title: titleOf(state, view, account.user_id), to: hrefOf(view) };
}

interface DeleteButtonProps {
  /** What is deleted: `draft`. */
  readonly what: string;
  /** The question. Default: `Delete draft?`. */
  readonly title?: string;
  readonly run: () => Promise<unknown>;
  /** What follows. */
  readonly children: ComponentChildren;
}

const DeleteButton = ({ what, title = `Delete ${what}?`, run, children }: DeleteButtonProps) => (
  <ConfirmButton
    label={`Delete ${what}`}
    icon="trash"
    kind="icon"
    title={title}
    action="Delete"
    run={run}
  >
    {children}
  </ConfirmButton>
);

interface RowProps {
  readonly title?: string;
  /** The address that the title leads to. */
  readonly to?: string;
  /** Markdown as it was written, or how it looks. */
  readonly text: ComponentChildren;
  readonly seconds?: number;
  readonly problem?: string | false;
  /** Buttons. */
  readonly children: ComponentChildren;
}

const Row = ({ title = 'No recipient', to, text, seconds, problem, children }: RowProps) => (
  <article class="later-row" aria-label={title}>
    <div class="grow">
      <header class="row">
        {to === undefined ? (
          <strong class="clip">{title}</strong>
        ) : (
          <a class="clip" href={to}>
            {title}
          </a>
        )}
        {seconds !== undefined && <Time seconds={seconds} />}
      </header>
      {typeof text === 'string' ? <p class="later-text">{text}</p> : text}
      {problem && <p class="later-problem">{problem}</p>}
    </div>
    {children}
  </article>
);
