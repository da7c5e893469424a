import type { RequestListener } from 'node:http';

/**
 * Adds the console of the operator below `/console/`, to which `/` leads. A bouncer that was installed alone has no console,
 * and answers there as to any unknown path.
 */
export async function withConsole(bouncer: RequestListener): Promise<RequestListener> {
  const installed = await import('@bellhop/console').catch(() => undefined);
  if (!installed) return bouncer;
  const { CONSOLE_PATH, isConsoleBuilt, serveConsole } = installed;
  const pages = serveConsole('bouncer');
  const isBuilt = await isConsoleBuilt();
  return (request, response) => {
    if (request.url?.startsWith(CONSOLE_PATH)) pages(request, response);
    else if (request.url === '/' && isBuilt)
      response.writeHead(302, { location: CONSOLE_PATH }).end();
    else bouncer(request, response);
  };
}
