import { setTimeout as sleep } from 'node:timers/promises';

import { type BotOptions, createBot, start } from '@bellhop/bot';

/** Yields a summary in pieces. Stops when the signal is aborted. */
type Model = (text: string, signal: AbortSignal) => AsyncIterable<string>;

/** In place of a language model: yields the first sentence of each paragraph, word by word. */
async function* firstSentences(text: string, signal: AbortSignal) {
  const sentences = text.split(/\n\s*\n/).map((paragraph) => /^[^.!?]*[.!?]?/.exec(paragraph)?.[0]);
  for (const word of sentences.join(' ').split(/(?<=\s)/)) {
    await sleep(50, undefined, { signal });
    yield word;
  }
}

/** Shows a summary while the model writes it. A newer message in the conversation stops it. */
export default function makeBot(options: BotOptions, model: Model = firstSentences) {
  return createBot({ order: 'latest', ...options }).fallback((ctx) =>
    ctx.text ? ctx.stream(model(ctx.text, ctx.signal)) : 'Send me a text, and I summarize it.',
  );
}

if (import.meta.main) await start(makeBot);
