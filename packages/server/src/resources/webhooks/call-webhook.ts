import { factsOf, OutboundError, type OutboundResponse, statusFacts } from '@bellhop/http/outbound';
import type { Attempt } from '@bellhop/jobs';
import {
  type AnswerExplanation,
  type DeliveryResult,
  explainAnswer,
  isSuccessStatus,
  MASK,
  readAnswer,
  type ReadAnswer,
  redact,
} from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { AttemptRecord } from '../../model/bot-deliveries/attempt-record.ts';
import { signatureHeaders, type WebhookRequest } from '../../model/bots/webhook-request.ts';
import {
  maskedHeaders,
  resultOf,
  resultOfBadText,
  resultOfError,
  textOf,
} from '../../model/bots/webhook-result.ts';

/** The request to a webhook. */
interface WebhookPost {
  readonly service: { readonly id: number; readonly base_url: string; readonly interface: number };
  /** Throws if the server's secret has changed. */
  readonly token: () => string;
  readonly request: WebhookRequest;
}
interface WebhookCall {
  readonly result: DeliveryResult;
  readonly record: AttemptRecord;
}

/** The limit of a stored answer in characters; the rest is not read. */
const MAX_STORED_BODY = 65_536;

/** Posts to a webhook once. */
export async function callWebhook(
  app: App,
  { service, token: tokenOf, request }: WebhookPost,
  { jobId, number, signal }: Pick<Attempt, 'jobId' | 'number' | 'signal'>,
): Promise<WebhookCall> {
  const timestamp = app.now();
  const token = tokenOf();
  const body = request.body(token);
  const context = { token, now: timestamp };
  const headers = {
    'content-type': request.contentType,
    ...signatureHeaders(token, { id: jobId, timestamp, body }),
    'webhook-attempt': String(number),
  };
  const limitMs = app.config.webhookTimeoutMs;
  const { host, protocol } = new URL(service.base_url);
  const facts = { host, isTls: protocol === 'https:', limitMs };
  const sent = {
    number,
    url: service.base_url,
    request_headers: maskedHeaders(headers, token),
    // A message may quote the token.
    payload: request.body(MASK).replaceAll(token, MASK),
  };
  const answered = (response: OutboundResponse, truncated: boolean) => ({
    timing: response.timing,
    response: {
      status: response.status,
      headers: maskedHeaders(response.headers, token),
      body: redact(textOf(response).text, [token], MAX_STORED_BODY),
      truncated,
    },
    facts: { ...facts, ...statusFacts(response) },
  });
  try {
    const options = { headers, body, totalTimeoutMs: limitMs, signal };
    const response = await app.outbound.post(service.base_url, options);
    const complete = { ...sent, ...answered(response, false) };
    if (!isSuccessStatus(response.status))
      return { result: resultOf(response, context), record: complete };
    const { text, fault: words } = textOf(response);
    const explain = (answer: AnswerExplanation) => ({
      ...complete,
      answer,
      facts: { ...complete.facts, detail: answer.words },
    });
    if (words !== undefined) return { result: resultOfBadText(words), record: explain({ words }) };
    const answer = readAnswer(text, service.interface);
    const explanation = explained(answer, text.replaceAll(token, MASK), service.interface);
    const result = resultOf(response, context, answer.read);
    return { result, record: explain(explanation) };
  } catch (error) {
    const result = resultOfError(error, context);
    app.log.info({ err: error, service: service.id, jobId }, 'a webhook gave no complete response');
    if (!(error instanceof OutboundError))
      return { result, record: { ...sent, timing: null, response: null, facts } };
    const { response, measured } = error;
    const record = {
      ...sent,
      ...(response ? answered(response, true) : { response: null }),
      timing: measured?.timing ?? null,
      facts: { ...facts, ...factsOf(error) },
    };
    return { result, record };
  }
}

/** The meaning of a 2xx answer, whose text has no secrets, without control characters. */
function explained(answer: ReadAnswer, text: string, interfaceType: number): AnswerExplanation {
  const explanation = explainAnswer(text, interfaceType, answer);
  const { near } = explanation;
  return near === undefined ? explanation : { ...explanation, near: redact(near, []) };
}
