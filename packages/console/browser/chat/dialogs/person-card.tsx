import type { InitialState } from '@bellhop/protocol';

import { ActionButton } from '../../controls/action-button.tsx';
import { Avatar } from '../../controls/avatar.tsx';
import { Dialog } from '../../controls/dialog.tsx';
import { Fact, Facts } from '../../controls/facts.tsx';
import { now } from '../../controls/now.ts';
import { Pill } from '../../controls/pill.tsx';
import { clockForm } from '../../controls/time.tsx';
import { href } from '../../navigation/location.ts';
import { profileValues } from '../../organization/people/profile-field-data.ts';
import { roleNames } from '../../organization/role-names.ts';
import { writeTo } from '../compose/composer-focus.ts';
import { hrefOf } from '../href-of.ts';
import { nameOfUser, userOf } from '../names.ts';
import { PresenceText } from '../presence.tsx';
import type { ChatDialogProps } from './dialog-props.ts';

interface PersonCardProps extends ChatDialogProps {
  readonly user_id: number;
}

type User = NonNullable<ReturnType<typeof userOf>>;

/** Who a person or bot is, and what one can do with them. */
export function PersonCard({ account, state, user_id, onClose }: PersonCardProps) {
  const user = userOf(state, user_id);
  if (!user)
    return (
      <Dialog title="Unknown user" onClose={onClose}>
        <p>This account does not exist, or you may not see it.</p>
      </Dialog>
    );
  const { full_name, is_bot, role, email } = user;
  const isSelf = user_id === account.user_id;
  const isGone = state.realm_non_active_users?.some((one) => one.user_id === user_id);
  const isMuted = state.muted_users?.some(({ id }) => id === user_id) === true;
  const status = state.user_status?.[String(user_id)]?.status_text;
  const { mutedUsers } = account.client;
  const write = () => {
    onClose();
    writeTo({ kind: 'direct', users: [user_id] });
  };
  return (
    <Dialog title={full_name} onClose={onClose}>
      <div class="card-head">
        <Avatar name={full_name} id={user_id} />
        {is_bot ? (
          <Pill tone="info" icon="bot">
            Bot
          </Pill>
        ) : (
          <Pill>{roleNames[role]}</Pill>
        )}
        {isGone && <Pill tone="warn">Deactivated</Pill>}
        {isMuted && <Pill icon="bell-off">Muted</Pill>}
        <span class="muted">
          <PresenceText account={account} user_id={user_id} />
        </span>
      </div>
      {status && <p>{status}</p>}
      <PersonFacts state={state} user={user} />
      <div class="actions card-actions">
        <a
          class="button"
          href={hrefOf({ kind: 'search', text: `sender:${email}` })}
          onClick={onClose}
        >
          {isSelf ? 'Your messages' : 'Their messages'}
        </a>
        <a class="button" href={href(['organization', 'users', String(user_id)])} onClick={onClose}>
          Show in Organization
        </a>
        {!isSelf && (
          <ActionButton
            run={() =>
              isMuted
                ? mutedUsers.remove({ user_id: user.user_id })
                : mutedUsers.add({ user_id: user.user_id })
            }
          >
            {isMuted ? 'Unmute' : 'Mute'}
          </ActionButton>
        )}
        <button type="button" class="button primary" onClick={write}>
          {isSelf ? 'Notes to yourself' : 'Send message'}
        </button>
      </div>
    </Dialog>
  );
}

function PersonFacts({ state, user }: { readonly state: InitialState; readonly user: User }) {
  const { email, delivery_email, timezone, date_joined, bot_owner_id: owner } = user;
  const local = timezone ? localTime(timezone, now.value) : undefined;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Email', delivery_email ?? email],
    ['Local time', local],
    ['Owner', owner ? nameOfUser(state, owner) : undefined],
    ...profileValues(state, user).map(({ name, text }) => [name, text] as const),
    ['Joined', date_joined.slice(0, 10)],
  ];
  return (
    <Facts>
      {facts.map(
        ([name, text]) =>
          text !== undefined && (
            <Fact key={name} name={name}>
              {text}
            </Fact>
          ),
      )}
    </Facts>
  );
}

/** The time of day in a time zone, as the user writes it: `14:05`; undefined for a zone that the browser does not know. */
function localTime(timeZone: string, ms: number): string | undefined {
  try {
    return new Intl.DateTimeFormat(undefined, { ...clockForm(), timeZone }).format(ms);
  } catch {
    return undefined;
  }
}
