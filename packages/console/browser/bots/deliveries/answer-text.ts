import type { DeliveryAttempt } from '@bellhop/protocol';

import { readJson } from '../../json/read-json.ts';

/** The answer to an attempt as one JSON text, for a comparison with another attempt. */
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
