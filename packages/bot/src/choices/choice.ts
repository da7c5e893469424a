import type { UserId } from '@bellhop/protocol';

import type { Conversation } from '../rest/conversation.ts';
import type { RoleName } from '../role-name.ts';
import type { JsonValue } from '../stores/store.ts';

/**
 * Who may answer: the person who has asked for it, anybody else, everybody, users with a role or a
 * higher one, or these users by their IDs. A role needs `api`: it is looked up on the server.
 */
export type Answerers = 'asker' | 'others' | 'anyone' | RoleName | readonly number[];

export interface ChooseOptions {
  /** At least one, at most 9, each at most 100 characters. */
  readonly options: readonly string[];
  /** The asker unless given. */
  readonly by?: Answerers;
  /** How long the answer may take, in milliseconds; an hour unless given. */
  readonly timeoutMs?: number;
  /** Handed to the handler with the answer. */
  readonly data?: JsonValue;
}

/** An answer to `ctx.choose`. The context of the handler is that of the answer. */
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
  readonly id: string;
  readonly name: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly by: Answerers;
  readonly askedBy: number;
  readonly data: JsonValue;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The message that has answered it, while its handler runs. */
  readonly answeredBy?: number;
};

/** A question that is being asked. */
export interface Question extends ChooseOptions {
  readonly question: string;
}

/** What a message is to the questions of its conversation. */
export type TakenChoice =
  | 'none'
  | { readonly refusal: string }
  | { readonly asked: PendingChoice; readonly option: string };

/** The option that a text names: by its words in any letter case, or by its number. */
export function optionIn(options: readonly string[], text: string): string | undefined {
  const said = text
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();
  return options.find((option, at) => option.toLowerCase() === said || String(at + 1) === said);
}

/** The question with numbered options, and as buttons where the client shows them. */
export function questionReply(question: string, options: readonly string[]) {
  const lines = options.map((option, at) => `${at + 1}. ${option}`);
  return {
    content: `${question}\n\n${lines.join('\n')}`,
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
