import { STATUS_CODES } from 'node:http';

import {
  deliveryFaults,
  explainAnswer,
  isSuccessStatus,
  readAnswer,
  unstorableText,
} from '@bellhop/protocol';

import { type CheckResult, fault, warning } from './finding.ts';
import type { PostResult } from './post.ts';
import { quoted } from './quoted.ts';

/**
 * The interpretation of the answer to a genuine delivery. `mistake`: a silence that was probably meant as
 * a reply. `unusable`: a server cannot use the answer.
 */
export type Interpretation =
  | { readonly kind: 'reply'; readonly content: string }
  | { readonly kind: 'silence'; readonly mistake?: CheckResult }
  | { readonly kind: 'unusable'; readonly result: CheckResult };

/** The interface whose answers have `content`. */
const GENERIC = 1;

/**
 * Interprets the result of a delivery with valid credentials, with the rules and the words of the
 * server.
 */
export function interpret(answer: PostResult): Interpretation {
  if (answer.kind !== 'response') return unusable(fault(answer.reason, adviceOn(answer)));
  const { status, body } = answer;
  if (!isSuccessStatus(status)) return unusable(refused(answer));
  const answered = readAnswer(body, GENERIC);
  const { read, value } = answered;
  const { words, near, fault: found } = explainAnswer(body, GENERIC, answered);
  if (read.kind === 'mistake')
    return unusable(
      fault(
        `${deliveryFaults[read.fault].forAuthor({ status, detail: words })}${quoted(near ?? '')}`,
        read.fault === 'bad_widget'
          ? 'The server refuses the reply: set widget_content to JSON text (JSON.stringify).'
          : 'The server shows "Failure!" in the conversation: answer with a JSON object, or {"response_not_required": true} for silence.',
      ),
    );
  if (value === '')
    return unusable(
      warning(
        `${status} with ""`,
        'Only old servers take this as silence: answer {"response_not_required": true}.',
      ),
    );
  if (read.kind === 'silence')
    return found === 'misnamed_reply'
      ? {
          kind: 'silence',
          mistake: warning(
            deliveryFaults[found].forAuthor({ status, detail: words }),
            'The server takes this as silence, and people see no reply. If silence is meant, answer {}.',
          ),
        }
      : { kind: 'silence' };
  const fields = value as Readonly<Record<string, unknown>>;
  const said = 'response_string' in fields ? fields['response_string'] : fields['content'];
  const unstorable = unstorableText(said);
  if (unstorable !== undefined)
    return unusable(
      fault(
        `a reply with ${unstorable}`,
        'The chat refuses it and shows "Failure!" in the conversation: remove them.',
      ),
    );
  if (typeof said === 'string') return { kind: 'reply', content: said };
  return unusable(
    warning(
      'a reply that is not a string',
      'Servers convert it to text in different ways: make the content a string.',
    ),
  );
}

const unusable = (result: CheckResult): Interpretation => ({ kind: 'unusable', result });

function adviceOn({ fault: found }: Extract<PostResult, { kind: 'fault' }>): string {
  if (found === 'timeout')
    return 'After the deadline the server closes the connection and delivers again, so the handler runs twice: answer in time, and send later replies by REST.';
  if (found === 'too_large') return 'The server does not read a longer answer: make it shorter.';
  if (found === 'canceled' || deliveryFaults[found].retries)
    return 'The server treats the bot as unavailable and delivers again: look in the log of the bot for the reason.';
  return 'The server shows "Failure!" in the conversation and does not deliver again: answer with valid HTTP, in UTF-8.';
}

const FAILURE_SHOWN =
  'The server shows "Failure!" in the conversation, notifies the owner and does not deliver again: answer every delivery whose token is right with 200 and a JSON object.';

const cures: Readonly<Record<number, string>> = {
  401: 'It refuses a genuine delivery: are the address and the token that you gave those of the bot?',
  403: 'It refuses a genuine delivery: are the address and the token that you gave those of the bot?',
  404: 'Is the path right? The server shows "Failure!" in the conversation.',
  405: 'The bot must take POST at this path. The server shows "Failure!" in the conversation.',
};

/** The finding about an answer whose status is no success. */
function refused({
  status,
  headers,
  body,
}: Extract<PostResult, { kind: 'response' }>): CheckResult {
  const { location } = headers;
  const facts = {
    status,
    statusName: STATUS_CODES[status],
    ...(location !== undefined && { location }),
  };
  if (status >= 300 && status < 400)
    return fault(
      deliveryFaults.redirect.forAuthor(facts),
      'The server shows "Failure!" in the conversation. A missing or surplus slash at the end of the payload URL is often the reason.',
    );
  const happened = deliveryFaults.status.forAuthor(facts);
  return fault(`${happened}${quoted(body)}`, cures[status] ?? FAILURE_SHOWN);
}
