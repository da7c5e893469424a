import type { UserId } from '@bellhop/protocol';
import { wordKey } from '@bellhop/protocol/plain';

import type { Reaction } from '../delivery.ts';
import type { Conversation } from '../rest/conversation.ts';
import type { RoleName } from '../role-name.ts';
import type { JsonValue } from '../stores/store.ts';

/**
 * Who may answer a choice: the person who asked for it, any other person, everybody, users with a
 * role or a higher one, or these users by their IDs. A role needs `api`: it is looked up on the
 * server.
 */
export type Answerers = 'asker' | 'others' | 'anyone' | RoleName | readonly number[];

export interface ChooseOptions {
  /** At least one, at most 9, each at most 100 characters. */
  readonly options: readonly string[];
  /** Default: the asker. */
  readonly by?: Answerers;
  /** How long the answer may take, in milliseconds; default: an hour. */
  readonly timeoutMs?: number;
  /** Handed to the handler with the answer. */
  readonly data?: JsonValue;
}

/** The answer to a question of `ctx.choose`. The handler also gets the context of the answer. */
export interface Choice<Data = JsonValue> {
  readonly option: string;
  readonly data: Data;
  /** The person whose message has led to the question. */
  readonly askedBy: UserId;
}

/** A question that nobody has answered in time. */
export interface MissedChoice<Data = JsonValue> {
  readonly question: string;
  readonly data: Data;
  readonly askedBy: UserId;
  readonly conversation: Conversation;
}

/** A question that waits for an answer, as it is stored. */
export type PendingChoice = {
  /** The text of the question with its options, by which a reaction to it is recognised. */
  readonly content?: string;
  /** The message that has led to the question. */
  readonly after?: number;
  readonly id: string;
  readonly name: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly by: Answerers;
  readonly askedBy: number;
  readonly data: JsonValue;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The message that answers the question, while the handler of the answer runs. */
  readonly answeredBy?: number | string;
};

/** A question that is being asked. */
export interface Question extends ChooseOptions {
  readonly question: string;
  /** Instead of the question with its numbered options. */
  readonly content?: string;
  /** Whether the end of its time is reported. */
  readonly expires?: boolean;
}

/** How a message relates to the open questions of its conversation. */
export type TakenChoice =
  | 'none'
  | { readonly refusal: string }
  | { readonly asked: PendingChoice; readonly option: string };

/** The option that a text names: by its text in any letter case and way of typing, or by its number. */
export function optionIn(options: readonly string[], text: string): string | undefined {
  const exact = options.find((option) => option.trim().toLowerCase() === text.trim().toLowerCase());
  if (exact !== undefined) return exact;
  const whole = wordKey(text);
  // Also `2)` and the emoji of a number.
  const said = whole.replace(/(?:[.,!)。、।۔]|\u20e3)+$/, '').trim();
  const isYesOrNo = isAboutYes(options);
  return options.find(
    (option, at) =>
      wordKey(option) === said ||
      wordKey(option) === whole ||
      String(at + 1) === said ||
      (isYesOrNo && words[at]?.includes(said)),
  );
}

/** Other words for yes and no. */
const words = [['y'], ['n', 'cancel']];
const isAboutYes = (options: readonly string[]) => options.join(' ').toLowerCase() === 'yes no';

/** The emoji of the options by their order: names without colons, and the code. */
const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].map(
  (name, at) => [name, `003${at + 1}-20e3`],
);
/** The emoji of yes and no. */
const signs = [
  ['+1', 'thumbs_up', '1f44d', 'check', '2705', 'check_mark', '2714'],
  ['-1', 'thumbs_down', '1f44e', 'cross_mark', '274c'],
];

/** The option that a reaction picks: the emoji of its number, or a thumb for yes and no. */
export function reactedOption(
  options: readonly string[],
  { emoji, code }: Pick<Reaction, 'emoji' | 'code'>,
): string | undefined {
  const isYesOrNo = isAboutYes(options);
  return options.find((_option, at) =>
    [...(numbers[at] ?? []), ...((isYesOrNo && signs[at]) || [])].some(
      (known) => known === emoji || known === code,
    ),
  );
}

/** The question with numbered options, and as buttons where the client shows them. */
export function questionReply({ question, options, content }: Question) {
  const lines = options.map((option, at) => `${at + 1}. ${option}`);
  return {
    content: content ?? `${question}\n\n${lines.join('\n')}`,
    widget: {
      widget_type: 'zform',
      extra_data: {
        type: 'choices',
        heading: question,
        choices: options.map((option, at) => ({
          type: 'multiple_choice',
          short_name: String(at + 1),
          long_name: option,
          reply: option,
        })),
      },
    },
  };
}
