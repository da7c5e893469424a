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

/** The destination of a topic: the channel by its name. An absent field stays as it is. */
export interface TopicMove {
  readonly channel?: string;
  readonly topic?: string;
}

/** The beginning of the name of a resolved topic, on every server of the protocol. */
const RESOLVED = '✔ ';
const MAX_TOPIC_LENGTH = 60;

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED);

/** The name of a topic with the mark, cut to 60 characters. */
export const resolvedName = (topic: string): string =>
  isResolved(topic) ? topic : Array.from(`${RESOLVED}${topic}`).slice(0, MAX_TOPIC_LENGTH).join('');

/** The name of a topic without the mark, however often it has it. */
export const reopenedName = (topic: string): string => topic.replace(/^(?:✔ )+/, '');
