import type { OutboundResponse } from '@bellhop/http/outbound';
import type { Attempt } from '@bellhop/jobs';

import type { App } from '../../engine/app.ts';
import type { LoadedDelivery } from './load-delivery.ts';
import { genericRequest, signatureHeaders, slackRequest } from './webhook-request.ts';
import { redact, resultOfError, resultOfResponse, type WebhookResult } from './webhook-result.ts';

interface WebhookCall {
  readonly result: WebhookResult;
  /** For the attempt log: milliseconds, and the status and body, or the error. */
  readonly detail: object;
}

/** Posts a message to a webhook once. */
export async function callWebhook(
  app: App,
  delivery: LoadedDelivery,
  { jobId, number, signal }: Attempt,
): Promise<WebhookCall> {
  const { service } = delivery;
  const token = delivery.token();
  const slack = service.interface === 2 ? slackRequest(delivery, token) : undefined;
  const { body, contentType } = slack ?? genericRequest(delivery, token);
  const timestamp = app.now();
  const context = { interfaceType: service.interface, token, now: timestamp };
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
      result: resultOfResponse(response, context),
      detail: { ms: ms(), ...responseDetail(response, token) },
    };
  } catch (error) {
    const result = resultOfError(error, context);
    app.log.info({ err: error, service: service.id, jobId }, 'a webhook gave no complete response');
    return { result, detail: { ms: ms(), error: 'reason' in result ? result.reason : '' } };
  }
}

const responseDetail = ({ status, location, body }: OutboundResponse, token: string) => ({
  status,
  ...(location === undefined ? {} : { location: redact(Buffer.from(location), [token]) }),
  body: redact(body, [token]),
});
