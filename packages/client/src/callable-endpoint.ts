import type { Encoded, Endpoint } from '@bellhop/protocol';

/**
 * The part of an endpoint that a client needs: made of its schemas, or of data that describes them.
 */
export interface CallableEndpoint extends Pick<Endpoint, 'route' | 'body' | 'redirects'> {
  /** Encodes parameters; `path` is the path of the route. */
  readonly encode: (path: string, params: object) => Encoded;
  readonly read: (answer: object) => { readonly data: object } | { readonly problem: unknown };
}
