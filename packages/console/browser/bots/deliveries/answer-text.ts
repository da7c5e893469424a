import type { DeliveryAttempt } from '@bellhop/protocol';

import { readJson } from '../../json/read-json.ts';

/** What an attempt got as one JSON text, to compare it with that of another one. */
export function answerText(attempt: DeliveryAttempt | undefined): string {
  const { verdict, response } = attempt ?? {};
  const body = response?.body;
  return JSON.stringify({
    verdict,
    status: response?.status,
    headers: response?.headers,
    body: body == null ? body : (readJson(body) ?? body),
  });
}
