import { z } from 'zod';

// Kinds of fields that many schemas have. Each has the example that the documentation shows.

/** A text without a limit of its own, as an answer has it; `.max()` limits that of a request. */
const text = (example: string) => z.string().meta({ example });

export const Email = text('iago@example.com');
export const FullName = text('Iago');
/** The name of a channel, a group or whatever else people name. */
export const Name = text('general');
export const TopicName = text('greetings');
export const Description = text('For everything');
export const Markdown = text('Hello!');
export const Html = text('<p>Hello!</p>');
export const Url = text('https://chat.example.com/');
export const AvatarUrl = text('https://chat.example.com/avatars/7.png');
/** The ID of an event queue. */
export const Queue = text('5f0f7f1c-8a4e-4f0e-9d35-0c1f2f7a0b11');
export const EmojiName = text('tada');
export const EmojiCode = text('1f389');
/** A public key of X25519 in base64. */
export const PublicKey = text(`${'A'.repeat(43)}=`);
/** An API key, or a token that works like one. */
export const Secret = text('k2v9QmYx0aZr4TtLw7NbHc3PdEf6GsJu');
/** UNIX time in seconds. */
export const Timestamp = z.int().meta({ example: 1_767_225_600 });
