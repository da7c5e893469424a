import { buildConsole } from '@bellhop/console/build';
import { CONSOLE_HEADER } from '@bellhop/protocol';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

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
  /**
   * Opens a page of the console in a browser profile of its own, signed in as the user with this role.
   * Default: Chat.
   */
  readonly open: (
    role: number,
    path?: string,
    options?: BrowserContextOptions,
  ) => Promise<ConsolePage>;
  /**
   * Goes to a page of the console in the browser profile that the tests of a file share for the user with
   * this role.
   */
  readonly show: (role: number, path: string) => Promise<ConsolePage>;
  /** Opens an address without a login. */
  readonly visit: (path: string, options?: BrowserContextOptions) => Promise<ConsolePage>;
}
export interface ConsolePage {
  readonly page: Page;
  /**
   * The problems that the browser reported so far in all tabs of the profile: violations of the
   * Content-Security-Policy, errors.
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
  const [sandbox, browser] = await Promise.all([temporarySandbox(options), launch()]);
  const { base_url, users } = sandbox.sandbox.file;
  const pages = pagesOf(browser, base_url);
  const open: ConsoleBrowser['open'] = async (role, path = '/console/', options = {}) => {
    const user = users.find((one) => one.role === role);
    if (!user) throw new Error(`The sandbox has no user with role ${role}`);
    const opened = await pages.newPage(options);
    await signIn(opened.page, base_url, user);
    await opened.page.goto(new URL(path, base_url).href);
    await opened.page.getByRole('main').waitFor();
    return opened;
  };
  const shared = new Map<number, ConsolePage>();
  return {
    sandbox,
    browser,
    open,
    show: async (role, path) => {
      const known = shared.get(role);
      if (!known) {
        const opened = await open(role, path);
        shared.set(role, opened);
        return opened;
      }
      // A test that failed may have left a dialog.
      if ((await known.page.locator('dialog[open]').count()) === 0) await goTo(known.page, path);
      else await known.page.goto(new URL(path, base_url).href);
      return known;
    },
    visit: pages.visit,
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await sandbox[Symbol.asyncDispose]();
      pages.requireNoProblems();
    },
  };
}

/** A browser for the pages of one server. */
export type ServerBrowser = Pick<ConsoleBrowser, 'browser' | 'visit'> & AsyncDisposable;

/** Starts a browser beside a server that runs. Disposing it fails as that of a sandbox's browser does. */
export async function startServerBrowser(url: string): Promise<ServerBrowser> {
  // A sandbox builds the console when it starts; other servers serve what there is.
  const [browser] = await Promise.all([launch(), buildConsole()]);
  const { visit, requireNoProblems } = pagesOf(browser, url);
  return {
    browser,
    visit,
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      requireNoProblems();
    },
  };
}

function launch(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(NO_BROWSER);
  return chromium.launch({ executablePath });
}

/** Opens pages of a server, each in a browser profile of its own, and keeps what they complain about. */
function pagesOf(browser: Browser, url: string) {
  const pages: ConsolePage[] = [];
  const newPage = async (options?: BrowserContextOptions): Promise<ConsolePage> => {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    const opened = { page: await context.newPage(), problems: watch(context) };
    pages.push(opened);
    return opened;
  };
  const visit: ConsoleBrowser['visit'] = async (path, options) => {
    const opened = await newPage(options);
    await opened.page.goto(new URL(path, url).href);
    return opened;
  };
  const requireNoProblems = () => {
    const found = pages.flatMap(({ problems }) => problems);
    if (found.length > 0) throw new Error(`The browser complained:\n${found.join('\n')}`);
  };
  return { newPage, visit, requireNoProblems };
}

/** Changes the address as a link of the console does: the page is not loaded again. */
export const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}),
    dispatchEvent(new PopStateEvent('popstate'))`);

/**
 * Waits until the page has drawn a frame and done what follows one: new components bind their keys and set
 * the focus, and lists look which rows are visible.
 */
export const nextFrame = (page: Page): Promise<void> =>
  page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done)))`);

/** Presses keys one after the other, each after a frame: new components have bound their keys by then. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await nextFrame(page);
    await page.keyboard.press(key);
  }
}

interface Login {
  readonly email: string;
  readonly password: string;
}

/** Gives a page both halves of a session, as the form does, which `sign-in.test.ts` uses. */
async function signIn(page: Page, url: string, { email, password }: Login): Promise<void> {
  const response = await fetch(`${url}/api/v1/console/session`, {
    method: 'POST',
    headers: { [CONSOLE_HEADER]: 'none' },
    body: new URLSearchParams({ username: email, password }),
  });
  const { console_key } = (await response.json()) as { console_key: string };
  const [name = '', value = ''] = (response.headers.get('set-cookie') ?? '').split(/[=;]/);
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
  // The frame of a mail has no storage.
  await page.addInitScript(`if (origin === '${url}')
    localStorage.setItem('bellhop-console-key', '${console_key}')`);
}

/** Violations of the Content-Security-Policy are also errors on the browser's own console. */
function watch(context: BrowserContext): string[] {
  const problems: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (one) => problems.push(one.error().stack ?? one.error().message));
  return problems;
}
