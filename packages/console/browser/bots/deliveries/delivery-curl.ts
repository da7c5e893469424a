import type { BotDeliveryDetails } from '@bellhop/protocol';

import { curlOf } from '../../json/curl.ts';

/** Replaces the token until it is written as a variable. */
const TOKEN = '\u{f0000}';
/** Headers that a program takes along: the others are of the connection, or would need the token. */
const KEPT = /^(content-type|user-agent)$/i;

/** The request of a delivery as a command line. The token is the variable `BOT_TOKEN`. */
export function deliveryCurl({ payload, attempts }: BotDeliveryDetails): string {
  const { url = '', headers = {} } = attempts.at(-1)?.request ?? {};
  return curlOf({
    method: 'POST',
    url,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT.test(name))),
    body: payload
      ?.replace(/("token"\s*:\s*")\[redacted\](")/, `$1${TOKEN}$2`)
      .replace(/(^|&)(token=)(?:\[redacted\]|%5Bredacted%5D)/, `$1$2${TOKEN}`),
    variables: { [TOKEN]: 'BOT_TOKEN' },
  });
}
