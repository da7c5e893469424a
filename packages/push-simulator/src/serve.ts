import { cipherId } from '@bellhop/push-crypto/cipher-id';

import type { Exchange } from './exchange.ts';
import type { AnswerFault, Fault, FaultBoard } from './faults.ts';
import type { Journal } from './journal.ts';
import type { Provider, ProviderAnswer, ProviderRequest } from './provider.ts';

interface ServeOptions {
  provider: Provider;
  faults: FaultBoard;
  journal: Journal;
  now: () => number;
}

const htmlAnswer: ProviderAnswer = {
  status: 401,
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: '<!DOCTYPE html><html><head><title>401</title></head><body>Unauthorized</body></html>\n',
  outcome: 'fault: html_401',
};

/** Serves one request: applies a fault or the provider's answer, and writes the journal. */
export function serve(request: ProviderRequest, exchange: Exchange, options: ServeOptions): void {
  const token = options.provider.tokenOf(request);
  const provider = options.provider.nameOf(request);
  const time = options.now();
  const isCredential = provider === 'oauth';
  const cipher_id = isCredential ? null : cipherIdIn(options.provider.appTextOf(request));
  const record = (outcome: string, status: number | null, answer = '') =>
    options.journal.record({
      time,
      provider,
      method: request.method,
      path: request.path,
      headers: loggedHeaders(request.headers),
      size: request.body.length,
      body: isCredential ? '' : request.body.toString('utf8'),
      token,
      cipher_id,
      status,
      answer: isCredential ? '' : answer,
      outcome,
    });
  const reject = () => {
    record('rejected by GOAWAY', null);
    exchange.refuse();
  };
  const finish = (answer: ProviderAnswer) => {
    if (exchange.isRejected()) return reject();
    record(answer.deliver?.() ?? answer.outcome, answer.status, answer.body);
    const headers = { date: new Date(options.now()).toUTCString(), ...answer.headers };
    exchange.respond({ ...answer, headers });
  };

  if (exchange.isRejected()) return reject();
  const fault = options.faults.take(provider, token);
  if (fault === undefined) finish(options.provider.answer(request));
  else if (typeof fault === 'object' && 'status' in fault)
    finish(faultAnswer(fault, request, options));
  else
    applyFault(fault, { exchange, finish, record, answer: () => options.provider.answer(request) });
}

function faultAnswer(
  fault: AnswerFault,
  request: ProviderRequest,
  options: ServeOptions,
): ProviderAnswer {
  const answer = options.provider.fail(fault, request);
  return { ...answer, outcome: `fault: ${answer.outcome}` };
}

function applyFault(
  fault: Exclude<Fault, AnswerFault>,
  effects: {
    exchange: Exchange;
    answer: () => ProviderAnswer;
    finish: (answer: ProviderAnswer) => void;
    record: (outcome: string, status: number | null) => void;
  },
): void {
  const { exchange, answer, finish, record } = effects;
  if (typeof fault === 'object' && 'goaway_reason' in fault) {
    exchange.goAway({ answered: false, reason: fault.goaway_reason });
    record('fault: goaway', null);
    return;
  }
  if (typeof fault === 'object') {
    setTimeout(() => finish(answer()), fault.slow_ms);
    return;
  }
  switch (fault) {
    case 'slow':
      setTimeout(() => finish(answer()), 1000);
      return;
    case 'html_401':
      finish(htmlAnswer);
      return;
    case 'goaway_after_answer':
      exchange.goAway({ answered: true });
      finish(answer());
      return;
    case 'lost_answer':
      answer().deliver?.();
      exchange.reset();
      break;
    case 'goaway':
      exchange.goAway({ answered: false });
      break;
    case 'refuse_stream':
      exchange.refuse();
      break;
    case 'reset':
      exchange.reset();
      break;
    case 'disconnect':
      exchange.disconnect();
      break;
    case 'freeze':
      exchange.freeze();
      break;
    case 'silent':
      break;
  }
  record(`fault: ${fault}`, null);
}

/** Plain headers as text, without credentials. */
function loggedHeaders(headers: ProviderRequest['headers']): Record<string, string> {
  const logged: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || name.startsWith(':')) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    logged[name] = name === 'authorization' ? text.replace(/ .*/s, ' (not shown)') : text;
  }
  return logged;
}

/** The `cipher_id` of the `encrypted_data` in the text of an app's data; null without one. */
function cipherIdIn(text: string | undefined): string | null {
  try {
    const { encrypted_data } = JSON.parse(text ?? '') as { encrypted_data?: unknown };
    return typeof encrypted_data === 'string' ? cipherId(encrypted_data) : null;
  } catch {
    return null;
  }
}
