import { resource } from '../loading/resource.ts';

/** Whether the server is part of a sandbox: its answer, which does not change while the page is open. */
export const serverKind = resource(async (signal) => {
  // The contract of the sandbox is no part of the first view.
  const { sandboxClient } = await import('./sandbox-client.ts');
  return sandboxClient().about.get({}, { signal });
});

/** Undefined until the server has answered. */
export const isSandbox = (): boolean | undefined => serverKind.value.value?.is_sandbox;
