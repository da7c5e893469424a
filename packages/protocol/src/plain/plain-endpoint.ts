import type { Endpoint } from '../wire/endpoint.ts';
import type { Route } from '../wire/route.ts';
import { type Form, formsOf } from '../wire/wire.ts';
import { describe } from './describe.ts';
import type { Shape } from './shape.ts';

/** The part of an endpoint that a client needs, as data. */
export interface PlainEndpoint {
  readonly route: Route;
  readonly body: Endpoint['body'];
  readonly redirects: boolean;
  /** How each parameter is sent. */
  readonly forms: Readonly<Record<string, Form>>;
  readonly result: Shape;
}

export type PlainContract = Readonly<Record<string, Readonly<Record<string, PlainEndpoint>>>>;

export const plainEndpoint = (endpoint: Endpoint): PlainEndpoint => ({
  route: endpoint.route,
  body: endpoint.body,
  redirects: endpoint.redirects,
  forms: Object.fromEntries(formsOf(endpoint)),
  result: describe(endpoint.result),
});
