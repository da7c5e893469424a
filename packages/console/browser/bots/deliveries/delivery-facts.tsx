import type { Bot, BotDeliveryDetails, DeliveryReply } from '@bellhop/protocol';

import { ClockTime } from '../../controls/clock-time.tsx';
import { Fact, Facts } from '../../controls/facts.tsx';
import { href, setQuery } from '../../navigation/location.ts';
import { StatusPill } from './status-pill.tsx';

const outcomeTexts = {
  none: 'The response could not be used.',
  silent: 'The bot chose not to reply.',
  sent: 'The reply was sent.',
  refused: 'The reply was rejected.',
  withheld:
    'The reply was not posted because this is a replay or a test, or the bot is deactivated.',
} satisfies Record<DeliveryReply['outcome'], string>;

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
      <Facts>
        <Fact name="Bot">{bot.full_name}</Fact>
        <Fact name="Message">
          {excerpt && <span class="message-text">{excerpt} </span>}
          {message_id === null ? (
            <span class="muted">
              {trigger === 'test' ? 'A test that nobody sees.' : 'Deleted.'}
            </span>
          ) : (
            <a href={messageHref(message_id)}>Show message</a>
          )}
        </Fact>
        <Fact name="Reply">
          {outcomeTexts[reply.outcome]}
          {reply.reason !== null && ` ${reply.reason}`}{' '}
          {reply.message_id !== null && <a href={messageHref(reply.message_id)}>Show reply</a>}
        </Fact>
        {replay_of !== null && (
          <Fact name="Replay of">
            <button
              type="button"
              class="link-button"
              onClick={() => setQuery({ delivery: replay_of, attempt: undefined })}
            >
              Show original
            </button>
          </Fact>
        )}
        <Fact name="ID" copy={id}>
          <span class="mono">{id}</span>
        </Fact>
      </Facts>
    </div>
  );
};

/** The message among all messages of the reader. */
const messageHref = (id: number) => href(['chat', 'search', `id:${id}`]);
