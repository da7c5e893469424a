import type { Attempt } from '@bellhop/jobs';

import type { App } from '../../engine/app.ts';
import type { OutboundResponse } from '../../outbound/outbound-response.ts';
import type { LoadedDelivery } from './load-delivery.ts';
import { redact } from './redact.ts';
import { signatureHeaders } from './sign-webhook.ts';
import { genericRequest, slackRequest } from './webhook-request.ts';
import { judgeError, judgeResponse, type Verdict } from './webhook-result.ts';

interface Called {
  readonly verdict: Verdict;
  /** For the attempt log: status, milliseconds, up to 16 KiB of the answer; or why there is none. */
  readonly detail: object;
}

/** Posts a message to a webhook, once, and says what the answer comes to. */
export async function callWebhook(
  app: App,
  delivery: LoadedDelivery,
  { jobId, number, signal }: Attempt,
): Promise<Called> {
  const { service } = delivery;
  const token = delivery.token();
  const slack = service.interface === 2 ? slackRequest(delivery, token) : undefined;
  const { body, contentType } = slack ?? genericRequest(delivery, token);
  const timestamp = app.now();
  const asked = { interfaceType: service.interface, token, now: timestamp };
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  try {
    const response = await app.outbound.post(service.base_url, {
      headers: {
        'content-type': contentType,
        ...signatureHeaders(token, { id: jobId, timestamp, body }),
        'webhook-attempt': String(number),
      },
      body,
      totalTimeoutMs: app.config.webhookTimeoutMs,
      signal,
    });
    return {
      verdict: judgeResponse(response, asked),
      detail: { ms: ms(), ...recorded(response, token) },
    };
  } catch (error) {
    const verdict = judgeError(error, asked);
    app.log.info({ err: error, service: service.id, jobId }, 'a webhook gave no whole answer');
    return { verdict, detail: { ms: ms(), error: 'reason' in verdict ? verdict.reason : '' } };
  }
}

const recorded = ({ status, location, body }: OutboundResponse, token: string) => ({
  status,
  ...(location === undefined ? {} : { location: redact(Buffer.from(location), [token]) }),
  body: redact(body, [token]),
});
