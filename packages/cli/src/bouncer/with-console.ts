import type { RequestListener } from 'node:http';

/**
 * Adds the console of the operator below `/console/`. A bouncer that was installed alone has no console,
 * and answers there as to any unknown path.
 */
export async function withConsole(bouncer: RequestListener): Promise<RequestListener> {
  const installed = await import('@bellhop/console').catch(() => undefined);
  if (!installed) return bouncer;
  const pages = installed.serveConsole('bouncer');
  return (request, response) => {
    if (request.url?.startsWith(installed.CONSOLE_PATH)) pages(request, response);
    else bouncer(request, response);
  };
}
