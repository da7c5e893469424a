import type { RequestListener } from 'node:http';

/**
 * A listener whose modules are loaded by its first request, so that a program is ready sooner. If they
 * cannot be loaded, `failed` is called once, and connections are closed.
 */
export function loadListener(
  load: () => Promise<RequestListener>,
  failed: (error: unknown) => void,
): RequestListener {
  let loading: Promise<RequestListener | undefined> | undefined;
  return (request, response) => {
    loading ??= load().catch((error: unknown) => {
      failed(error);
      return undefined;
    });
    void loading.then((listener) => (listener ? listener(request, response) : response.destroy()));
  };
}
