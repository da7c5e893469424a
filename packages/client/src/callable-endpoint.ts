import type { Encoded, Endpoint } from '@bellhop/protocol';

/** What a client needs of an endpoint: made of its schemas, or of the data that describes them. */
export interface CallableEndpoint extends Pick<Endpoint, 'route' | 'body' | 'redirects'> {
  /** Encodes parameters. `path`: that of the route. */
  readonly encode: (path: string, params: object) => Encoded;
  readonly read: (answer: object) => { readonly data: object } | { readonly problem: unknown };
}
