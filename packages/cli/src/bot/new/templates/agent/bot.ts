import {
  type BotOptions,
  createBot,
  type MessageContext,
  start,
  type StreamChunk,
} from '@bellhop/bot';
import { fileStore } from '@bellhop/bot/stores/file';

/** A message of the conversation, as the model gets it. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** Yields the answer of a model in pieces, or the chunks of its SDK. Stops when the signal is aborted. */
export type Model = (turns: readonly Turn[], signal: AbortSignal) => AsyncIterable<StreamChunk>;

/** How many earlier messages the model gets. */
const HISTORY = 20;

/** Answers in a thread: after a mention also without one, for an hour. A newer message stops an answer. */
export default function makeBot(options: BotOptions, model: Model = chatCompletions) {
  return createBot({ order: 'latest', ...options })
    .on('follow_up', answer)
    .fallback(answer);

  async function answer(ctx: MessageContext) {
    await ctx.subscribe();
    const turns: Turn[] = (await ctx.history(HISTORY)).map(({ isOwn, sender, text }) =>
      isOwn
        ? { role: 'assistant', content: text }
        : { role: 'user', content: `${sender.fullName}: ${text}` },
    );
    turns.push({ role: 'user', content: `${ctx.message.sender.fullName}: ${ctx.text}` });
    return ctx.stream(model(turns, ctx.signal));
  }
}

/** The HTTP API of OpenAI, which other services and local servers have too. */
async function* chatCompletions(turns: readonly Turn[], signal: AbortSignal) {
  const { MODEL_URL, MODEL_NAME, MODEL_KEY } = process.env;
  if (!MODEL_URL || !MODEL_NAME) {
    yield 'Set MODEL_URL (https://.../v1) and MODEL_NAME, and MODEL_KEY if the service needs one.';
    return;
  }
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(MODEL_KEY ? { authorization: `Bearer ${MODEL_KEY}` } : {}),
    },
    body: JSON.stringify({ model: MODEL_NAME, messages: turns, stream: true }),
    signal,
  });
  if (!response.ok || !response.body) throw new Error(`The model answered ${response.status}.`);
  let unread = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (unread + text).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines)
      if (line.startsWith('data: {')) yield JSON.parse(line.slice(6)) as StreamChunk;
  }
}

if (import.meta.main) await start(makeBot, { store: fileStore('.bellhop-bot') });
