import type { Bot, BotDeliveryDetails } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';

import { Button } from '../../controls/button.tsx';
import { CopyAs } from '../../controls/copy-as.tsx';
import { MenuItem, PopoverButton } from '../../controls/menu.tsx';
import { saveJson } from '../../controls/save-json.ts';
import type { LiveAccount } from '../../live/live-account.ts';
import { Lazy } from '../../shell/lazy.tsx';
import { deliveryCurl } from './delivery-curl.ts';
import { PinPayload } from './pin-payload.tsx';
import { replayNow } from './replay-now.ts';

interface DeliveryActionsProps {
  readonly account: LiveAccount;
  readonly bot: Bot;
  readonly delivery: BotDeliveryDetails;
}

const loadEdited = async () => (await import('./replay-edited.tsx')).ReplayEdited;

/** The actions of the bot's owner on a delivery that was made for them. */
export function DeliveryActions({ account, bot, delivery }: DeliveryActionsProps) {
  const isEditing = useSignal(false);
  const isPinning = useSignal(false);
  if (bot.owner_id !== account.user_id || delivery.excerpt === null)
    return (
      <p class="inspector-note muted">
        Only the owner of the bot at the time can see what was sent and received.
      </p>
    );
  return (
    <div class="inspector-actions">
      <Button icon="refresh-cw" onClick={() => replayNow(account, delivery)}>
        Replay
      </Button>
      <Button
        icon="pencil"
        disabled={delivery.payload === null}
        onClick={() => (isEditing.value = true)}
      >
        Edit and replay
      </Button>
      {delivery.payload !== null && (
        <>
          <CopyAs label="Copy as curl" text={() => deliveryCurl(delivery)} />
          <PopoverButton icon="ellipsis" label="More actions">
            <MenuItem icon="star" label="Pin payload" onSelect={() => (isPinning.value = true)} />
            <MenuItem icon="file" label="Save as fixture" onSelect={() => saveFixture(delivery)} />
          </PopoverButton>
        </>
      )}
      {isEditing.value && (
        <Lazy
          load={loadEdited}
          props={{ account, delivery, onClose: () => (isEditing.value = false) }}
        />
      )}
      {isPinning.value && (
        <PinPayload
          user_id={account.user_id}
          delivery={delivery}
          onClose={() => (isPinning.value = false)}
        />
      )}
    </div>
  );
}

/**
 * Saves the payload of a delivery as the file that `bellhop bot receive` reads. The server has masked its
 * token.
 */
const saveFixture = ({ id, trigger, payload }: BotDeliveryDetails): void =>
  saveJson(`${trigger}-${id}.json`, payload ?? '');
