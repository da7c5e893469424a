import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

import { findBrowser, NO_BROWSER } from './find-browser.ts';
import {
  type TemporarySandbox,
  temporarySandbox,
  type TemporarySandboxOptions,
} from './temporary-sandbox.ts';

/** A sandbox and a browser, for the tests of one file. */
export interface ConsoleBrowser extends AsyncDisposable {
  readonly sandbox: TemporarySandbox;
  readonly browser: Browser;
  /** Opens the console in a browser profile of its own and signs in as the user with this role. */
  readonly open: (role: number, options?: BrowserContextOptions) => Promise<ConsolePage>;
  /** Opens an address without a login. */
  readonly visit: (path: string, options?: BrowserContextOptions) => Promise<ConsolePage>;
}
export interface ConsolePage {
  readonly page: Page;
  /**
   * The problems that the browser reported so far: violations of the Content-Security-Policy,
   * errors.
   */
  readonly problems: string[];
}

/**
 * Starts a sandbox and a browser. Disposing them fails if a page violated the Content-Security-Policy or
 * logged an error; a test that provokes one empties `problems`.
 */
export async function startConsoleBrowser(
  options: TemporarySandboxOptions = {},
): Promise<ConsoleBrowser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(NO_BROWSER);
  const [sandbox, browser] = await Promise.all([
    temporarySandbox(options),
    chromium.launch({ executablePath }),
  ]);
  const pages: ConsolePage[] = [];
  const { base_url, users } = sandbox.sandbox.file;
  const visit = async (path: string, options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    const problems = watch(page);
    pages.push({ page, problems });
    await page.goto(new URL(path, base_url).href);
    return { page, problems };
  };
  return {
    sandbox,
    browser,
    visit,
    open: async (role, options) => {
      const user = users.find((one) => one.role === role);
      if (!user) throw new Error(`The sandbox has no user with role ${role}`);
      const opened = await visit('/console/', options);
      await opened.page.getByLabel('E-mail').fill(user.email);
      await opened.page.getByLabel('Password').fill(user.password);
      await opened.page.getByRole('button', { name: 'Sign in' }).click();
      await opened.page.getByRole('navigation', { name: 'Conversations' }).waitFor();
      return opened;
    },
    [Symbol.asyncDispose]: async () => {
      const found = pages.flatMap(({ problems }) => problems);
      await browser.close();
      await sandbox[Symbol.asyncDispose]();
      if (found.length > 0) throw new Error(`The browser complained:\n${found.join('\n')}`);
    },
  };
}

/** Violations of the Content-Security-Policy are errors on the browser's own console as well. */
function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  return problems;
}
