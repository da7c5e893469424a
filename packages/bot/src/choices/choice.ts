import type { UserId } from '@bellhop/protocol';
import { wordKey } from '@bellhop/protocol/plain';

import type { Reaction } from '../delivery.ts';
import type { Conversation, Destination } from '../rest/conversation.ts';
import { plainText } from '../rest/plain-text.ts';
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
  /** Default: the asker. Answers come in the conversation of the question. */
  readonly by?: Answerers;
  /** How long the answer may take, in milliseconds; default: an hour. */
  readonly timeoutMs?: number;
  /** Handed to the handler with the answer. */
  readonly data?: JsonValue;
  readonly to?: undefined;
}

/** A question that is posted to a conversation by REST, other than as the reply. */
export interface ChooseToOptions extends Omit<ChooseOptions, 'to'> {
  readonly to: Destination;
}

/** A question that a task, a schedule or a time-out asks: nobody has asked for it. */
export interface ChooseInWorkOptions extends Omit<ChooseToOptions, 'by'> {
  readonly by: Exclude<Answerers, 'asker' | 'others'>;
}

/** The answer to a question of `ctx.choose`. The handler also gets the context of the answer. */
export interface Choice<Data = JsonValue> {
  readonly option: string;
  readonly data: Data;
  /** The person whose message has led to the question; undefined for one of a task or a schedule. */
  readonly askedBy: UserId | undefined;
}

/** A question that nobody has answered in time. */
export interface MissedChoice<Data = JsonValue> {
  readonly question: string;
  readonly data: Data;
  readonly askedBy: UserId | undefined;
  readonly conversation: Conversation;
}

/** A question that waits for an answer, or has ended not long ago, as it is stored. */
export type PendingChoice = {
  /** The text of the question with its options, by which a reaction to it is recognised. */
  readonly content?: string;
  /** The message that has led to the question. */
  readonly after?: number;
  /** The message of the question, if it was posted by REST; otherwise it is found by its content. */
  readonly messageId?: number;
  readonly id: string;
  readonly name: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly by: Answerers;
  readonly askedBy?: number;
  readonly data: JsonValue;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The message that answers the question, or the reaction. */
  readonly answeredBy?: number | string;
  /** What it answers; the question is open for others again if its handler fails. */
  readonly answer?: ChoiceAnswer;
  /** When the question has ended, in milliseconds since 1970; undefined while it is open. */
  readonly endedAt?: number;
  /** Whether the message of the question shows its end. */
  readonly isShown?: boolean;
  /** The people who were told that they are late. */
  readonly told?: readonly number[];
};

/** An answer to a question, as it is stored. */
export type ChoiceAnswer = {
  readonly option: string;
  readonly by: { readonly id: number; readonly fullName: string };
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** A question that is being asked. */
export interface Question extends Omit<ChooseOptions, 'to'> {
  readonly question: string;
  /** Instead of the question with its numbered options. */
  readonly content?: string;
  /** Whether the end of its time is reported. */
  readonly expires?: boolean;
}

/** A question that is being asked in another conversation, or by no message. */
export interface PostedQuestion extends Question {
  readonly to: Destination;
}

/**
 * How a message relates to the questions of its conversation. `repeated`: it has answered one before.
 * `late`: it answers one that has ended.
 */
export type TakenChoice =
  | 'none'
  | 'repeated'
  | { readonly late: string }
  | { readonly refusal: string }
  | { readonly asked: PendingChoice; readonly option: string };

/** The option that a text names: by its text in any letter case and way of typing, or by its number. */
export function optionIn(options: readonly string[], text: string): string | undefined {
  const exact = sameOption(options, text);
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

/** The option that a text is, in any letter case: what a button sends. */
export const sameOption = (options: readonly string[], text: string): string | undefined =>
  options.find((option) => option.trim().toLowerCase() === text.trim().toLowerCase());

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
        heading: plainText(question),
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
