import { BotError } from '../bot-error.ts';

export type HeaderMap<Value> = Readonly<Record<string, Value | undefined>> | null;

/**
 * The part of an event that is used here: of a function URL or an HTTP API (format 2.0), of a REST API
 * or an HTTP API with format 1.0, or of an Application Load Balancer, with headers of one value or several.
 */
export interface LambdaEvent {
  readonly httpMethod?: string;
  readonly headers?: HeaderMap<string>;
  readonly multiValueHeaders?: HeaderMap<readonly string[]>;
  readonly body?: unknown;
  readonly isBase64Encoded?: boolean;
  readonly requestContext?: object | null;
}

export interface LambdaResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Only for a load balancer that asked with such headers: it ignores `headers` then. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
  readonly isBase64Encoded: false;
}

/** The method of the request of an event. Throws BotError `config_invalid` for one that is no request. */
export function methodOf(event: LambdaEvent): string {
  const { http } = (event?.requestContext ?? {}) as { http?: { method?: unknown } };
  const method = http?.method ?? event?.httpMethod;
  if (typeof method === 'string' && !isAuthorizer(event)) return method;
  throw new BotError(
    'config_invalid',
    `This event is ${formatOf(event)}. lambda() answers the requests of a function URL, of an API Gateway ` +
      '(HTTP API or REST API) and of an Application Load Balancer: put one of them before the function, ' +
      "and give the bot's outgoing webhook its address.",
  );
}

/** The headers of an event, with their names in lower case; the first of each name, and all encodings. */
export function headersOf({ headers, multiValueHeaders }: LambdaEvent) {
  const lower: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers ?? {})) lower[name.toLowerCase()] = value;
  for (const [given, values] of Object.entries(multiValueHeaders ?? {})) {
    const name = given.toLowerCase();
    const value = name === 'content-encoding' ? values?.join(', ') : values?.[0];
    if (value !== undefined) lower[name] = value;
  }
  return lower;
}

/** Whether the headers of the answer must be lists: a load balancer takes the form that it has sent. */
export const wantsLists = ({ headers, multiValueHeaders }: LambdaEvent): boolean =>
  !headers && Boolean(multiValueHeaders);

const isAuthorizer = (event: object) => 'methodArn' in event || 'routeArn' in event;

/** What an event is that is no request, for the author of the bot. */
function formatOf(event: unknown): string {
  if (typeof event !== 'object' || event === null)
    return `no object, but ${event === null ? 'null' : typeof event}`;
  const known = event as Readonly<Record<string, unknown>>;
  const records = known['Records'];
  const record = (Array.isArray(records) ? records[0] : undefined) as
    | Readonly<Record<string, unknown>>
    | undefined;
  const context = Object(known['requestContext'] ?? {}) as object;
  if (record?.['cf']) return 'one of Lambda@Edge (CloudFront)';
  const source = record?.['eventSource'] ?? record?.['EventSource'];
  if (typeof source === 'string') return `a list of records of ${source}`;
  if ('connectionId' in context) return 'one of a WebSocket API';
  if ('raw_path' in known || 'serviceNetworkArn' in context) return 'a request of VPC Lattice';
  if (isAuthorizer(known)) return 'a question to an authorizer of an API Gateway';
  if ('detail-type' in known) return `one of EventBridge (${String(known['source'])})`;
  if ('bot_email' in known) return 'a delivery without its HTTP request: the function was invoked';
  const keys = Object.keys(known).slice(0, 8);
  return keys.length === 0
    ? 'an empty object'
    : `of an unknown format, with the keys ${keys.join(', ')}`;
}
