import type { Page } from 'playwright-core';

import type { ConsoleBrowser } from '../../support/console-browser.ts';

/** Notes the milliseconds from the navigation until an element was on the screen and could be used. */
const noteUsable = (selector: string) => `
  globalThis.usableAt = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector(${JSON.stringify(selector)})) resolve(performance.now());
      else requestAnimationFrame(look);
    };
    look();
  });`;

/** Milliseconds from the navigation of a browser without a cache until the sign-in form can be used. */
export async function signInIsUsable({ browser, sandbox }: ConsoleBrowser): Promise<number> {
  const context = await browser.newContext();
  try {
    await context.addInitScript(noteUsable('input[type=email]'));
    const page = await context.newPage();
    await page.goto(new URL('/console/', sandbox.sandbox.file.base_url).href);
    return await usableAt(page);
  } finally {
    await context.close();
  }
}

export interface FirstView {
  readonly ms: number;
  /** Of all scripts that were fetched by then, compressed, without headers. */
  readonly kilobytes: number;
}

/**
 * A conversation from the navigation of a signed-in tab, without a cache, until the user can write
 * in it.
 */
export async function composerIsUsable(page: Page, path: string): Promise<FirstView> {
  const session = await page.context().newCDPSession(page);
  const headers = new Map<string, number>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') headers.set(requestId, response.encodedDataLength);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const ofHeaders = headers.get(requestId);
    if (ofHeaders !== undefined) bytes += encodedDataLength - ofHeaders;
  });
  await session.send('Network.enable');
  await session.send('Page.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const source = noteUsable('.composer textarea:not(:disabled)');
  const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', { source });
  await page.goto(new URL(path, page.url()).href);
  const ms = await usableAt(page);
  const kilobytes = bytes / 1000;
  await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
  await session.send('Network.setCacheDisabled', { cacheDisabled: false });
  await session.detach();
  return { ms, kilobytes };
}

const usableAt = (page: Page): Promise<number> => page.evaluate<number>('globalThis.usableAt');
