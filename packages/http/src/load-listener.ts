import type { RequestListener } from 'node:http';

/**
 * A listener whose modules are loaded by its first request, so that a program is ready sooner. If they
 * cannot be loaded, connections are closed.
 */
export function loadListener(load: () => Promise<RequestListener>): RequestListener {
  let loading: Promise<RequestListener> | undefined;
  return (request, response) => {
    loading ??= load();
    loading.then(
      (listener) => listener(request, response),
      () => response.destroy(),
    );
  };
}
