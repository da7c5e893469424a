import { ValidationError } from '@chat-adapter/shared';
import type { ButtonElement, CardChild, CardElement, StateAdapter } from 'chat';
import { NotImplementedError } from 'chat';

import { NAME } from './adapter-config.ts';

/** A button, and the message that a press of it sends. */
export interface CardButton {
  readonly label: string;
  /** Without the mention of the bot: the label, with a number if another card in the thread has it too. */
  readonly reply: string;
  readonly actionId: string;
  readonly value?: string;
}

/** The buttons of one message, as they are kept in the state of the Chat. */
interface PostedButtons {
  readonly messageId: string;
  /** None when the message was changed or deleted. */
  readonly buttons: readonly CardButton[];
}

export interface Press {
  readonly messageId: string;
  readonly button: CardButton;
}

/** As many as the widget of a server can show with numbers, and as `choose` of the bot framework takes. */
const MAX_BUTTONS = 9;
const MAX_LABEL_LENGTH = 100;
const MAX_POSTED = 100;
/** As long as the Chat SDK keeps what belongs to a thread. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * The buttons of a card. Throws a NotImplementedError for a menu, which the servers have not, and a
 * ValidationError for more than 9 buttons and for a label of more than 100 characters.
 */
export function buttonsOf(card: CardElement): readonly ButtonElement[] {
  const buttons = card.children.flatMap(buttonsIn).filter(({ disabled }) => disabled !== true);
  if (buttons.length > MAX_BUTTONS)
    throw new ValidationError(NAME, `A card has at most ${MAX_BUTTONS} buttons here.`);
  for (const { label } of buttons)
    if (label.trim() === '' || label.length > MAX_LABEL_LENGTH || /[\n*]/.test(label))
      throw new ValidationError(
        NAME,
        `The label of a button has 1 to ${MAX_LABEL_LENGTH} characters in one line without *, because a press sends it as a message: ${JSON.stringify(label)}`,
      );
  return buttons;
}

function buttonsIn(child: CardChild): readonly ButtonElement[] {
  if (child.type === 'section') return child.children.flatMap(buttonsIn);
  if (child.type !== 'actions') return [];
  return child.children.flatMap((one) => {
    if (one.type === 'button') return [one];
    if (one.type === 'link-button') return [];
    throw new NotImplementedError(
      'This server has no menus in messages: use a button for each option.',
      'selects',
    );
  });
}

export type CardButtons = ReturnType<typeof cardButtons>;

/** The buttons in the threads of a bot. A press is a message with the words of the button. */
export function cardButtons(state: StateAdapter) {
  const keyOf = (threadId: string) => `${NAME}:buttons:${threadId}`;
  const keep = (threadId: string, posted: PostedButtons) =>
    state.appendToList(keyOf(threadId), posted, { maxLength: MAX_POSTED, ttlMs: KEPT_MS });
  /** The newest last. */
  async function live(threadId: string): Promise<readonly PostedButtons[]> {
    const all = await state.getList<PostedButtons>(keyOf(threadId));
    const newest = new Map(all.map((one) => [one.messageId, one]));
    return [...newest.values()].filter(({ buttons }) => buttons.length > 0);
  }

  return {
    /** Gives each button of a new card words that no other live button of the thread has. */
    async named(threadId: string, buttons: readonly ButtonElement[]): Promise<CardButton[]> {
      const posted = await live(threadId);
      const taken = new Set(posted.flatMap((one) => one.buttons.map(({ reply }) => fold(reply))));
      return buttons.map(({ id, label, value }) => {
        let reply = label.trim();
        for (let count = 2; taken.has(fold(reply)); count += 1)
          reply = `${label.trim()} (${count})`;
        taken.add(fold(reply));
        return { label, reply, actionId: id, ...(value === undefined ? {} : { value }) };
      });
    },

    keep: (threadId: string, messageId: string, buttons: readonly CardButton[]) =>
      keep(threadId, { messageId, buttons }),

    /** Forgets the buttons of a message. Resolves with whether it had some. */
    async end(threadId: string, messageId: string): Promise<boolean> {
      const had = (await live(threadId)).some((one) => one.messageId === messageId);
      if (had) await keep(threadId, { messageId, buttons: [] });
      return had;
    },

    /** The button whose words a message has, in any letter case. */
    async pressed(threadId: string, text: string): Promise<Press | undefined> {
      const words = fold(text);
      if (words === '' || words.length > MAX_LABEL_LENGTH + 10) return undefined;
      for (const { messageId, buttons } of (await live(threadId)).toReversed()) {
        const button = buttons.find(({ reply }) => fold(reply) === words);
        if (button) return { messageId, button };
      }
      return undefined;
    },
  };
}

const fold = (text: string) => text.trim().toLowerCase();
