import { useSignal } from '@preact/signals';

import { Field, SelectField, TextField } from '../controls/field.tsx';
import { Form } from '../controls/form.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { go, href } from '../navigation/location.ts';
import { isSandbox } from '../session/server-kind.ts';
import { usePageName } from '../shell/page-title.ts';
import { textOf } from '../text/text-of.ts';
import { BotHead } from './bot-head.tsx';
import { botTypes } from './bot-types.ts';
import { freshKeys } from './fresh-keys.ts';
import { WebhookFields } from './webhook-fields.tsx';

const triggers = [
  ['direct_message', 'direct messages to it, including group messages'],
  ['mention', 'channel messages that mention it'],
  ['follow_up', 'other messages in topics it has subscribed to'],
] as const;

const typeHints = {
  1: 'Reads and sends messages with its API key.',
  2: 'Can only send messages.',
  3: 'The server sends each message to your program and posts its response.',
} as Readonly<Record<number, string>>;

/** Only a sandbox calls programs on its own machine unless its operator allows that. */
const ON_THIS_MACHINE = 'http://127.0.0.1:8080/';
const OUTGOING = 3;
const types = [3, 1, 2] as const;

/** The form that creates a bot. Then the page of the bot shows its keys and programs to run. */
export function NewBot({ account }: { account: LiveAccount }) {
  usePageName('New bot');
  const type = useSignal<number>(OUTGOING);
  const shortName = useSignal('');
  const create = (fields: FormData) => {
    const text = (name: string) => textOf(fields.get(name)).trim();
    const webhook = {
      payload_url: text('payload_url'),
      interface_type: Number(fields.get('interface')),
    };
    return account.client.bots.create({
      full_name: text('full_name'),
      short_name: text('short_name'),
      bot_type: type.peek() as (typeof types)[number],
      ...(type.peek() === OUTGOING ? webhook : {}),
    });
  };
  return (
    <section class="bot-page" aria-label="New bot">
      <BotHead>
        <h2 class="grow clip">New bot</h2>
      </BotHead>
      <div class="bot-form-page">
        <Form
          action="Create bot"
          icon="plus"
          send={create}
          onSent={({ user_id, api_key }) => {
            freshKeys.value = { bot_id: user_id, api_key, isNew: true };
            go(href(['bots', String(user_id)], { tab: 'setup' }));
          }}
        >
          <Field label="Name">
            <input
              class="input"
              name="full_name"
              required
              maxLength={100}
              ref={takeFocus}
              autocomplete="off"
              onInput={({ currentTarget }) => (shortName.value = slug(currentTarget.value))}
            />
          </Field>
          <TextField
            label="Short name"
            hint={`Its email address will be ${addressOf(account, shortName.value)}`}
            name="short_name"
            required
            pattern="[A-Za-z0-9._\-]+"
            maxLength={100}
            autocomplete="off"
            value={shortName.value}
            onInput={({ currentTarget }) => (shortName.value = currentTarget.value)}
          />
          <SelectField
            label="Type"
            hint={typeHints[type.value]}
            name="bot_type"
            value={type.value}
            options={types.map((value) => ({ value, label: botTypes[value] ?? '' }))}
            onChoose={(value) => (type.value = Number(value))}
          />
          {type.value === OUTGOING && (
            <>
              <WebhookFields
                payloadUrl={isSandbox() ? ON_THIS_MACHINE : ''}
                interfaceType={1}
                urlName="payload_url"
              />
              <section class="triggers">
                <h3>Messages it receives</h3>
                <dl>
                  {triggers.map(([trigger, text]) => (
                    <div key={trigger}>
                      <dt class="mono">{trigger}</dt>
                      <dd class="muted">{text}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            </>
          )}
        </Form>
      </div>
    </section>
  );
}

/** The attribute `autofocus` works only once per document. */
const takeFocus = (field: HTMLElement | null) => field?.focus();

const slug = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .replace(/-bot$/, '');

/** The address that the server will give a bot. */
const addressOf = ({ state }: LiveAccount, shortName: string): string =>
  `${shortName || '...'}-bot@${state.peek()?.realm_bot_domain ?? ''}`;
