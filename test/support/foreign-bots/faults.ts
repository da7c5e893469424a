import type { DeliveryFault } from '@bellhop/protocol';

/** A fault of a beginner's bot, and how each tool names it. */
export interface Fault {
  /** The `error_code` of the delivery. */
  readonly code: DeliveryFault;
  /** The verdict of `bellhop bot deliveries`. */
  readonly verdict: RegExp;
  /** The description of the fault by `bellhop conform bot`. */
  readonly probe: RegExp;
}

const notJson = (place: string): Fault => ({
  code: 'not_json',
  verdict: new RegExp(`^200 but not JSON at ${place}$`),
  probe: new RegExp(`^200 but not JSON at ${place} `),
});
const same = (code: Fault['code'], words: RegExp): Fault => ({
  code,
  verdict: words,
  probe: words,
});

const empty = same('not_json', /^200 but an empty answer, not JSON: answer \{\} for silence$/);
const failed: Fault = {
  code: 'status',
  verdict: /^500 Internal Server Error: the bot failed: see its log$/,
  probe: /^500 Internal Server Error: the bot failed|stack trace|path of its machine/,
};
const moved: Fault = {
  code: 'redirect',
  verdict: /^308 Permanent Redirect to \/hook\/: redirects are refused; set the final address/,
  probe: /^308 Permanent Redirect to \/hook\/: redirects are refused; set the final address/,
};
const closed: Fault = {
  code: 'closed',
  verdict: /^connection closed after \d+ ms$/,
  probe: /^connection closed after \d+ ms$/,
};
const hanging: Fault = {
  code: 'timeout',
  verdict: /^time-out after \d s: the first byte had not come$/,
  probe: /^time-out after \d s: the first byte had not come$/,
};
const widget = same(
  'bad_widget',
  /^200 but widget_content of the answer is not usable: it must be/,
);
const huge: Fault = {
  code: 'too_large',
  verdict: /^200 but over 64 KiB: the answer was not read to its end$/,
  probe: /^200 but over 64 KiB: the answer was not read to its end$/,
};
const zeroByte: Fault = {
  code: 'reply_refused',
  verdict: /^answered, but the chat refused the reply: /,
  probe: /^a reply with null bytes$/,
};
const otherKey = (key: string) =>
  same(
    'misnamed_reply',
    new RegExp(`^200 but no content: did you mean "content" for "${key}"\\?$`),
  );

/** The faults of the two bots, by the word in a message that causes them. */
export const faults = {
  'a Flask-like bot in Python': {
    exception: failed,
    repr: notJson('line 1, column 2'),
    twice: same('not_object', /^200 but JSON encoded twice: send the object itself/),
    list: same('not_object', /^200 but a JSON list, not an object$/),
    text: otherKey('text'),
    nothing: empty,
    close: closed,
    slow: hanging,
    moved,
    widget,
    huge,
    zero: zeroByte,
  },
  'a naive Express bot': {
    throw: failed,
    send: notJson('line 1, column 1'),
    status: notJson('line 1, column 1'),
    end: empty,
    string: same(
      'not_object',
      /^200 but a JSON string, not an object: send \{"content": "\.\.\."\}$/,
    ),
    null: same('not_object', /^200 but JSON null, not an object$/),
    message: otherKey('message'),
    moved,
    path: {
      code: 'status',
      verdict: /^404 Not Found: is the path of the payload URL right\?$/,
      probe: /^404 Not Found: is the path/,
    },
    token: {
      code: 'status',
      verdict: /^401 Unauthorized: the bot refuses the token or the signature/,
      probe: /^401 Unauthorized: the bot refuses/,
    },
    forgotten: hanging,
    destroy: closed,
    widget,
    huge,
  },
} as const satisfies Record<string, Record<string, Fault>>;

/** The codes that these bots do not cause: faults without an answer, and answers that no framework sends. */
export const notOfBots = [
  'dns',
  'unknown_host',
  'address_forbidden',
  'refused',
  'unreachable',
  'not_tls',
  'certificate',
  'not_http',
  'bad_http',
  'header_too_large',
  'bad_encoding',
  'bad_charset',
  'bot_error',
  'disabled',
  'owner_changed',
  'unsupported',
  'internal',
] as const satisfies readonly DeliveryFault[];
