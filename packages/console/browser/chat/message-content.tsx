import { useLayoutEffect, useRef } from 'preact/hooks';

import { is24Hours } from '../controls/time.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
import { consoleFetch } from '../session/console-fetch.ts';
import { nodesOf } from '../text/server-html.ts';

import './message-content.css';
import { openDialog } from './dialogs/opened-dialog.ts';
import { NO_MOTION } from './emoji-picture.tsx';
import { charOf } from './emoji.ts';
import { placeOfLink } from './fragments.ts';
import { hrefOf } from './href-of.ts';

interface MessageContentProps {
  readonly html: string;
  readonly account: LiveAccount;
}
/** The time that a message names, for everybody in their own. */
const momentText = (moment: Date): string =>
  moment.toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: is24Hours.value ? 'h23' : 'h12',
  });

/** The text of a message as the server rendered it. */
export function MessageContent({ html, account }: MessageContentProps) {
  const place = useRef<HTMLDivElement>(null);
  const isPlain = userSetting(account, 'emojiset') === 'text';
  useLayoutEffect(() => {
    const nodes = nodesOf(html);
    if (!isPlain) showEmoji(nodes);
    for (const time of nodes.querySelectorAll('time[datetime]'))
      time.textContent = momentText(new Date(time.getAttribute('datetime') ?? ''));
    for (const mention of nodes.querySelectorAll(
      `[data-user-id="${account.user_id}"], [data-user-id="*"]`,
    ))
      mention.classList.add('of-me');
    openCards(nodes, account);
    leadToConversations(nodes, account.user_id);
    foldSpoilers(nodes);
    stillEmoji(nodes, account);
    const stop = loadFiles(nodes, account.user_id);
    place.current?.replaceChildren(nodes);
    return stop;
  }, [html, isPlain, is24Hours.value]);
  return <div ref={place} class="content" />;
}

/** The server sends emoji of Unicode as `<span class="emoji emoji-1f642">:smile:</span>`. */
function showEmoji(nodes: DocumentFragment): void {
  for (const span of nodes.querySelectorAll('span.emoji')) {
    const code = /\bemoji-([\da-f-]+)/.exec(span.className)?.[1];
    if (code === undefined) continue;
    span.setAttribute('role', 'img');
    span.setAttribute('aria-label', span.getAttribute('title') ?? '');
    span.textContent = charOf(code);
  }
}

/** Custom emoji that move have a still image for people who want no motion. */
function stillEmoji(nodes: DocumentFragment, { state }: LiveAccount): void {
  const images = nodes.querySelectorAll('img.emoji');
  if (images.length === 0) return;
  const all = Object.values(state.peek()?.realm_emoji ?? {});
  for (const image of images) {
    const source_url = image.getAttribute('data-src');
    const still = all.find((one) => one.source_url === source_url)?.still_url;
    if (still === undefined || still === null) continue;
    const picture = document.createElement('picture');
    const source = document.createElement('source');
    source.media = NO_MOTION;
    source.srcset = still;
    image.replaceWith(picture);
    picture.append(source, image);
  }
}

/** A mention of a person opens their card at a press. */
function openCards(nodes: DocumentFragment, account: LiveAccount): void {
  for (const mention of nodes.querySelectorAll<HTMLElement>('[data-user-id]')) {
    const user_id = Number(mention.dataset['userId']);
    // `*` is everybody.
    if (!Number.isInteger(user_id)) continue;
    mention.setAttribute('role', 'button');
    mention.tabIndex = 0;
    mention.addEventListener('click', () => openDialog(account, { kind: 'person', user_id }));
    mention.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      // Enter on a message opens its conversation.
      event.stopPropagation();
      mention.click();
    });
  }
}

/** Links to conversations of this server open in the page. */
function leadToConversations(nodes: DocumentFragment, user_id: number): void {
  for (const link of nodes.querySelectorAll<HTMLAnchorElement>('a[href*="#narrow/"]')) {
    const { origin, pathname, hash } = new URL(link.getAttribute('href') ?? '', location.origin);
    const place = placeOfLink(hash, user_id);
    if (origin !== location.origin || pathname !== '/' || !place) continue;
    link.href = hrefOf(place.view, { near: place.near });
    link.removeAttribute('target');
  }
}

/** Spoilers open at a press of their header. */
function foldSpoilers(nodes: DocumentFragment): void {
  for (const block of nodes.querySelectorAll('.spoiler-block')) {
    const [header, content] = [
      block.querySelector('.spoiler-header'),
      block.querySelector('.spoiler-content'),
    ];
    if (!header || !content) continue;
    const details = document.createElement('details');
    const summary = document.createElement('summary');
    summary.append(...header.childNodes);
    details.append(summary, content);
    block.replaceChildren(details);
  }
}

/**
 * Fetches the pictures of a message with the key of the session, which `<img>` cannot send. Pictures of
 * other sites are not loaded. Returns how to free them.
 */
function loadFiles(nodes: DocumentFragment, account: number): () => void {
  const stopping = new AbortController();
  const urls: string[] = [];
  for (const element of nodes.querySelectorAll('[data-src]')) {
    const { pathname, origin } = new URL(element.getAttribute('data-src') ?? '', location.origin);
    if (origin !== location.origin) continue;
    element.setAttribute('loading', 'lazy');
    if (!pathname.startsWith('/user_uploads/')) {
      element.setAttribute('src', pathname);
      continue;
    }
    consoleFetch(account)(pathname, { signal: stopping.signal })
      .then(async (answer) => {
        if (!answer.ok) return;
        const url = URL.createObjectURL(await answer.blob());
        urls.push(url);
        element.setAttribute('src', url);
      })
      .catch(() => element.setAttribute('alt', pathname));
  }
  return () => {
    stopping.abort();
    for (const url of urls) URL.revokeObjectURL(url);
  };
}
