import { resource } from '../loading/resource.ts';

/** Whether the server is part of a sandbox: its answer, which does not change while the page is open. */
export const serverKind = resource(async (signal) => {
  // The contract of the sandbox is no part of the first view.
  const { sandboxClient } = await import('./sandbox-client.ts');
  return sandboxClient().about.get({}, { signal });
});

/** Whether nobody gets the mails of the server: they stay in its outbox. A sandbox shows it. */
export const keepsMails = (): boolean => {
  const kind = serverKind.value.value;
  return kind !== undefined && !kind.is_sandbox && !kind.sends_mails;
};

/** Undefined until the server has answered. */
export const isSandbox = (): boolean | undefined => serverKind.value.value?.is_sandbox;
