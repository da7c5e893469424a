import { OutboundError, type OutboundResponse } from '@bellhop/http/outbound';
import type { Attempt } from '@bellhop/jobs';
import { type AnswerExplanation, explainAnswer, interpretAnswer } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import { maskedHeaders } from './masked-headers.ts';
import type { AttemptRecord } from './verdict.ts';
import { signatureHeaders, type WebhookRequest } from './webhook-request.ts';
import {
  MASK,
  redact,
  resultOfError,
  resultOfResponse,
  type WebhookResult,
} from './webhook-result.ts';

/** The request to a webhook. */
interface WebhookPost {
  readonly service: { readonly id: number; readonly base_url: string; readonly interface: number };
  readonly token: string;
  readonly request: WebhookRequest;
}
interface WebhookCall {
  readonly result: WebhookResult;
  readonly record: AttemptRecord;
}

/** The limit of a stored answer in characters; the rest is not read. */
const MAX_STORED_BODY = 65_536;

/** Posts to a webhook once. */
export async function callWebhook(
  app: App,
  { service, token, request: { body, contentType } }: WebhookPost,
  { jobId, number, signal }: Pick<Attempt, 'jobId' | 'number' | 'signal'>,
): Promise<WebhookCall> {
  const timestamp = app.now();
  const context = { interfaceType: service.interface, token, now: timestamp };
  const headers = {
    'content-type': contentType,
    ...signatureHeaders(token, { id: jobId, timestamp, body }),
    'webhook-attempt': String(number),
  };
  const sent = {
    number,
    url: service.base_url,
    request_headers: maskedHeaders(headers, token),
    payload: body.replaceAll(token, MASK),
    limitMs: app.config.webhookTimeoutMs,
  };
  const answered = (response: OutboundResponse, truncated: boolean) => ({
    timing: response.timing,
    response: {
      status: response.status,
      headers: maskedHeaders(response.headers, token),
      body: redact(response.body, [token], MAX_STORED_BODY),
      truncated,
    },
  });
  try {
    const options = { headers, body, totalTimeoutMs: sent.limitMs, signal };
    const response = await app.outbound.post(service.base_url, options);
    const result = resultOfResponse(response, context);
    const { status } = response;
    const isSuccess = status >= 200 && status < 300;
    const record = {
      ...sent,
      ...answered(response, false),
      ...(isSuccess ? { answer: explained(response, context) } : {}),
    };
    return { result, record };
  } catch (error) {
    const result = resultOfError(error, context);
    app.log.info({ err: error, service: service.id, jobId }, 'a webhook gave no complete response');
    if (!(error instanceof OutboundError))
      return { result, record: { ...sent, timing: null, response: null } };
    const { response, measured, cause } = error;
    const record = {
      ...sent,
      timing: measured?.timing ?? null,
      ...(measured ? { step: measured.step } : {}),
      ...(response ? answered(response, true) : { response: null }),
      cause: cause instanceof Error && 'code' in cause ? String(cause.code) : '',
    };
    return { result, record };
  }
}

/** The meaning of a 2xx answer, without secrets and control characters. */
function explained(
  { body }: OutboundResponse,
  { interfaceType, token }: { interfaceType: number; token: string },
): AnswerExplanation {
  const text = body.toString('utf8').replaceAll(token, MASK);
  const { words, near } = explainAnswer(text, interfaceType, interpretAnswer(text, interfaceType));
  return { words, ...(near === undefined ? {} : { near: redact(Buffer.from(near), []) }) };
}
