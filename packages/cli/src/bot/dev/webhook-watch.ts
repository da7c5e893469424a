import { printNote } from '../print-chat.ts';

interface Heard {
  readonly id: number;
  readonly sender_id: number;
  /** What it was sent with. */
  readonly client: string;
  readonly content: string;
}

/** What a server sends for an outgoing webhook: its replies, and notices of its failures. */
const FROM_WEBHOOK = 'OutgoingWebhookResponse';

/** Says once that a bot's webhook speaks as well: here it never does. */
export function webhookWatch(bot_id: number): (message: Heard) => void {
  let said = false;
  return ({ id, sender_id, client, content }) => {
    if (said || sender_id !== bot_id || client !== FROM_WEBHOOK) return;
    said = true;
    const text = content.length > 60 ? `${content.slice(0, 60)}...` : content;
    printNote(
      `The payload URL of this bot leads elsewhere, and people hear from there too: message ${id}, ` +
        `"${text.replaceAll('\n', ' ')}". Stop the bot that runs there.`,
    );
  };
}
