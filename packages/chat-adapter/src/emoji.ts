import { defaultEmojiResolver, type EmojiValue, getEmoji } from 'chat';

/** The names of servers for those emoji of the Chat SDK that have another name there. */
const serverNames = new Map(
  Object.entries({
    arrow_down: 'down',
    arrow_left: 'left',
    arrow_right: 'right',
    arrow_up: 'up',
    chart_down: 'downwards_trend',
    chart_up: 'chart',
    cool: 'sunglasses',
    cry: 'sob',
    email: 'e-mail',
    facepalm: 'face_palm',
    folder: 'organize',
    grimace: 'grimacing',
    laugh: 'joy',
    lightbulb: 'light_bulb',
    lightning: 'high_voltage',
    lock: 'locked',
    love_eyes: 'heart_eyes',
    medal: 'first_place',
    megaphone: 'loudspeaker',
    ok_hand: 'ok',
    party: 'tada',
    pin: 'push_pin',
    rain: 'rainy',
    refresh: 'counterclockwise',
    sad: 'cry',
    sick: 'nauseated',
    smile: 'blush',
    snow: 'snowflake',
    speech_bubble: 'umm',
    stop: 'stop_sign',
    sun: 'sunny',
    surprised: 'open_mouth',
    unlock: 'unlocked',
    x: 'cross_mark',
    zany: 'zany_face',
  }),
);

/**
 * The name of an emoji on the server. A text is such a name, with or without colons, or one of the Chat
 * SDK, which wins where both have it: `smile`.
 */
export function emojiName(emoji: EmojiValue | string): string {
  const name = (typeof emoji === 'string' ? emoji : emoji.name).replace(/^:|:$/g, '');
  return serverNames.get(name) ?? name;
}

/** The emoji of a reaction: by its code if the Chat SDK knows it, else by its name on the server. */
export function emojiValue({ emoji, code }: { emoji: string; code: string }): EmojiValue {
  const characters = charactersOf(code);
  for (const form of [characters, `${characters}\u{FE0F}`]) {
    const value = defaultEmojiResolver.fromGChat(form);
    if (characters !== '' && value.name !== form) return value;
  }
  return getEmoji(emoji);
}

/** The characters of hexadecimal code points that are joined by dashes; empty for the ID of a custom emoji. */
const charactersOf = (code: string): string =>
  /^[\da-f]{4,5}(?:-[\da-f]{4,5})*$/.test(code)
    ? String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
    : '';
