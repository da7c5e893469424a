import type { Bot, BotDeliveryDetails } from '@bellhop/protocol';

import { ClockTime } from '../../controls/clock-time.tsx';
import { CopyButton } from '../../controls/copy-button.tsx';
import { href, setQuery } from '../../navigation/location.ts';
import { strings as shared } from '../strings.ts';
import { StatusPill } from './status-pill.tsx';
import { strings } from './strings.ts';

interface DeliveryFactsProps {
  readonly bot: Bot;
  readonly delivery: BotDeliveryDetails;
}

/** The message of a delivery, its state, and the fate of the reply. */
export const DeliveryFacts = ({ bot, delivery }: DeliveryFactsProps) => {
  const { id, created_ms, trigger, excerpt, message_id, replay_of, reply, verdict } = delivery;
  return (
    <div class="inspector-facts">
      <div class="row">
        <StatusPill delivery={delivery} />
        <ClockTime ms={created_ms} />
        <span class="muted clip">{trigger}</span>
      </div>
      <p class="verdict">{verdict}</p>
      <dl class="facts">
        <div>
          <dt>{strings.bot}</dt>
          <dd>{bot.full_name}</dd>
        </div>
        <div>
          <dt>{strings.message}</dt>
          <dd>
            {excerpt && <span class="message-text">{excerpt} </span>}
            {message_id === null ? (
              <span class="muted">
                {trigger === 'test' ? strings.testMessage : strings.deletedMessage}
              </span>
            ) : (
              <a href={messageHref(message_id)}>{strings.showMessage}</a>
            )}
          </dd>
        </div>
        <div>
          <dt>{strings.reply}</dt>
          <dd>
            {strings.outcomes[reply.outcome]}
            {reply.reason !== null && ` ${reply.reason}`}{' '}
            {reply.message_id !== null && (
              <a href={messageHref(reply.message_id)}>{strings.showReply}</a>
            )}
          </dd>
        </div>
        {replay_of !== null && (
          <div>
            <dt>{strings.replayOf}</dt>
            <dd>
              <button
                type="button"
                class="link-button"
                onClick={() => setQuery({ delivery: replay_of, attempt: undefined })}
              >
                {strings.showOriginal}
              </button>
            </dd>
          </div>
        )}
        <div>
          <dt>{strings.id}</dt>
          <dd class="row">
            <span class="mono clip">{id}</span>
            <CopyButton text={id} label={shared.copy(strings.id)} />
          </dd>
        </div>
      </dl>
    </div>
  );
};

/** The message among all messages of the reader. */
const messageHref = (id: number) => href(['chat', 'search', `id:${id}`]);
