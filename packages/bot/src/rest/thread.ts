/** The topic of a message. Its operations throw BotError `api_rejected` in direct messages. */
export interface Thread {
  /** Whether the topic is marked as resolved. */
  readonly isResolved: boolean;
  /** Marks the topic as resolved, or takes the mark away. */
  readonly resolve: () => Promise<void>;
  readonly reopen: () => Promise<void>;
  readonly rename: (topic: string) => Promise<void>;
  /** Moves the topic to another channel, by its name, under another name if `topic` is given. */
  readonly moveTo: (place: { readonly channel: string; readonly topic?: string }) => Promise<void>;
}

/** Where a topic goes: the channel by its name. What is not given stays. */
export interface TopicMove {
  readonly channel?: string;
  readonly topic?: string;
}

/** What the name of a resolved topic begins with, on every server of the protocol. */
const RESOLVED = '✔ ';
const MAX_TOPIC_LENGTH = 60;

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED);

/** The name of a topic with the mark, cut to 60 characters. */
export const resolvedName = (topic: string): string =>
  isResolved(topic) ? topic : Array.from(`${RESOLVED}${topic}`).slice(0, MAX_TOPIC_LENGTH).join('');

/** The name of a topic without the mark, however often it has it. */
export const reopenedName = (topic: string): string => topic.replace(/^(?:✔ )+/, '');
