import type { DeliveryFault } from './bot-deliveries/bot-delivery.ts';

/** The details of one fault, for its sentences. Of the answer's own text only `location` is among them. */
export interface FaultFacts {
  /** The host of the payload URL, with its port. */
  readonly host?: string;
  /** Whether the payload URL begins with `https:`. */
  readonly isTls?: boolean;
  readonly status?: number;
  /** The name of the status, such as `Not Found`. */
  readonly statusName?: string | undefined;
  /** The target of a redirect, for the owner alone: an address may hold a secret. */
  readonly location?: string;
  /** How long the attempt took. */
  readonly ms?: number;
  /** How long it might take. */
  readonly limitMs?: number;
  /** The step in which the attempt ended. */
  readonly step?: 'dns' | 'connect' | 'first_byte' | 'body';
  /** The code of the error of the connection; the name of an error of this server. */
  readonly code?: string;
  /**
   * What exactly is wrong with an answer, in words of ours: the rest of a sentence that begins with "the
   * answer" or, after a status of success, with "but". Why the chat refused a reply.
   */
  readonly detail?: string;
  /** A sentence for the readers of a conversation that says more than that of the table. */
  readonly sentence?: string;
}

export interface FaultRow {
  /** Whether the server delivers again; `if asked`: by a Retry-After of a minute at most. */
  readonly retries: boolean | 'if asked';
  /** Whether it counts towards disabling the webhook. */
  readonly breaks: boolean;
  /** A sentence for all readers of the conversation and for the owner. */
  readonly forConversation: (facts: FaultFacts) => string;
  /** The verdict for the author of the bot, in the list of deliveries and of the probe. */
  readonly forAuthor: (facts: FaultFacts) => string;
}

const passes = { retries: true, breaks: true } as const;
const stays = { retries: false, breaks: true } as const;
/** The endpoint works: it has answered with a status of success, or was not called. */
const harmless = { retries: false, breaks: false } as const;

const notReached = () => 'The endpoint could not be reached or broke off.';
const notReadable = () => 'The answer of the endpoint cannot be read.';
/** No reader of the conversation gets a word of these: the reply, or the silence, counts. */
const nothing = () => '';
const theAnswer = ({ detail = 'is not valid' }: FaultFacts) => `the answer ${detail}`;
const butAnswered = ({ status, detail = '' }: FaultFacts) => `${status} but ${detail}`;
const same = (words: string) => ({ forConversation: () => words, forAuthor: () => words });

/** What the server makes of each fault of a delivery, and says of it. */
export const deliveryFaults: Readonly<Record<DeliveryFault, FaultRow>> = {
  dns: {
    // The fault of this server's resolver.
    retries: true,
    breaks: false,
    forConversation: () => 'The host name could not be looked up just now.',
    forAuthor: ({ host }) => `DNS: the name ${host} could not be looked up just now`,
  },
  unknown_host: {
    ...passes,
    forConversation: () => 'The host name of the URL does not exist.',
    forAuthor: ({ host }) => `DNS: there is no host ${host}`,
  },
  address_forbidden: {
    ...stays,
    forConversation: ({
      sentence = 'The URL leads to an address that is not on the public internet.',
    }) => sentence,
    forAuthor: () =>
      'address forbidden: the payload URL leads to no public address (BELLHOP_WEBHOOK_ALLOW permits private networks)',
  },
  refused: {
    ...passes,
    forConversation: notReached,
    forAuthor: ({ host }) => `connection refused: nothing listens at ${host}`,
  },
  unreachable: {
    ...passes,
    forConversation: ({ sentence = notReached() }) => sentence,
    forAuthor: ({ host }) => `unreachable: there is no way to ${host}`,
  },
  not_tls: {
    ...passes,
    forConversation: notReached,
    forAuthor: ({ host }) => `TLS: ${host} does not speak TLS; is its address http://?`,
  },
  certificate: {
    ...passes,
    forConversation: () => 'The certificate of the endpoint is not trusted.',
    forAuthor: ({ host, code = '' }) =>
      `TLS: the certificate of ${host} ${certificateFaults[code] ?? 'is not trusted'}`,
  },
  closed: {
    ...passes,
    forConversation: notReached,
    forAuthor: ({ ms = 0, step }) =>
      `connection closed after ${Math.round(ms)} ms${step === 'body' ? ', in the middle of the answer' : ''}`,
  },
  not_http: {
    ...stays,
    forConversation: notReadable,
    forAuthor: ({ host, isTls = true }) =>
      isTls ? 'the answer is not HTTP' : `the answer is not HTTP; is the address https://${host}?`,
  },
  bad_http: { ...stays, forConversation: notReadable, forAuthor: theAnswer },
  header_too_large: { ...stays, forConversation: notReadable, forAuthor: theAnswer },
  timeout: {
    ...passes,
    forConversation: () => 'The endpoint did not answer in time.',
    // Opening a connection has a shorter limit of its own.
    forAuthor: ({ ms = 0, limitMs = ms, step = 'first_byte' }) =>
      `time-out after ${seconds(step === 'connect' ? ms : limitMs)}: ${steps[step]}`,
  },
  redirect: {
    ...stays,
    forConversation: ({ status }) =>
      `The endpoint answered with status ${status}: redirects are not followed.`,
    forAuthor: (facts) =>
      `${titleOf(facts)}${facts.location === undefined ? '' : ` to ${facts.location}`}: redirects are refused; set the final address as payload URL`,
  },
  status: {
    retries: 'if asked',
    breaks: true,
    forConversation: ({ status = 0 }) =>
      `The endpoint answered with status ${status}${statuses[status] ?? ''}.`,
    forAuthor: (facts) => {
      const hint = advice[facts.status ?? 0];
      return hint === undefined ? titleOf(facts) : `${titleOf(facts)}: ${hint}`;
    },
  },
  too_large: {
    ...harmless,
    forConversation: ({ sentence = 'The answer is longer than 65536 bytes.' }) => sentence,
    forAuthor: ({ status }) => `${status} but over 64 KiB: the answer was not read to its end`,
  },
  bad_encoding: { ...harmless, forConversation: notReadable, forAuthor: butAnswered },
  bad_charset: { ...harmless, forConversation: notReadable, forAuthor: butAnswered },
  not_json: {
    ...harmless,
    forConversation: () => 'The answer of the endpoint is not valid JSON.',
    forAuthor: butAnswered,
  },
  not_object: {
    ...harmless,
    forConversation: () => 'The answer of the endpoint is not a JSON object.',
    forAuthor: butAnswered,
  },
  bad_widget: {
    ...harmless,
    forConversation: ({ detail = 'widget_content of the answer is not usable' }) => `The ${detail}`,
    forAuthor: butAnswered,
  },
  misnamed_reply: { ...harmless, forConversation: nothing, forAuthor: butAnswered },
  bot_error: { ...harmless, forConversation: nothing, forAuthor: butAnswered },
  reply_refused: {
    ...harmless,
    forConversation: ({ detail = '' }) => `The bot's reply was refused: ${detail}`,
    forAuthor: ({ detail = '' }) => `answered, but the chat refused the reply: ${detail}`,
  },
  disabled: {
    ...harmless,
    ...same('The bot is disabled because its endpoint failed for too long.'),
  },
  // The new owner may have set another payload URL, and must not get what people told the bot before.
  owner_changed: {
    ...harmless,
    ...same('The bot has got a new owner since the message was sent.'),
  },
  unsupported: {
    ...harmless,
    ...same('A bot with the Slack-compatible interface does not answer direct messages.'),
  },
  internal: {
    ...harmless,
    forConversation: ({ code }) =>
      code === undefined
        ? 'The server could not finish the delivery.'
        : `The request could not be made (${code}).`,
    forAuthor: () => 'the server could not finish the delivery',
  },
};

/** What a status of failure means to the readers of a conversation. */
const statuses: Readonly<Record<number, string>> = {
  407: ': a proxy on the way refuses this address',
  410: ': it is gone for good',
};

const advice: Readonly<Record<number, string>> = {
  400: 'the bot does not like the payload',
  401: 'the bot refuses the token or the signature: is its token the one of the bot user, and its clock right?',
  403: 'the bot refuses the request: is its token the one of the bot user?',
  404: 'is the path of the payload URL right?',
  405: 'the endpoint must take POST at this path',
  407: 'a proxy on the way refuses this address',
  410: 'the endpoint says that it is gone for good',
  413: 'the endpoint does not take so long a payload',
  415: 'the endpoint does not take this content type',
  500: 'the bot failed: see its log',
  502: 'the server before the bot does not reach it',
  503: 'the endpoint is not available',
  504: 'the server before the bot gets no answer from it in time',
};

const titleOf = ({ status, statusName }: FaultFacts): string =>
  statusName === undefined ? String(status) : `${status} ${statusName}`;

const steps: Readonly<Record<NonNullable<FaultFacts['step']>, string>> = {
  dns: 'the name was being looked up',
  connect: 'the connection was being opened',
  first_byte: 'the first byte had not come',
  body: 'the answer had begun and was not complete',
};

const certificateFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by itself',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
  SELF_SIGNED_CERT_IN_CHAIN: 'is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes without the certificate of its authority',
};

const seconds = (ms: number) => `${ms < 950 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)} s`;
