import { escapeHtml, shownTopic } from '@bellhop/protocol';

import type { Handlers } from '../../../engine/resource.ts';
import { fetchPage } from '../../../model/messages/fetch/fetch-page.ts';
import { highlight } from '../../../model/messages/fetch/highlight.ts';
import { compileNarrow } from '../../../model/messages/fetch/narrow/compile-narrow.ts';
import { inSearchTurn } from '../../../model/messages/fetch/search-turns.ts';

type MatchesNarrow = Handlers<'messages'>['matchesNarrow'];

/** Like `message_ids` of `GET /messages`, also finds readable messages that were never received. */
export const matchesNarrow: MatchesNarrow = (call) => inSearchTurn(call, () => matchNow(call));

const matchNow: MatchesNarrow = async (call) => {
  const { db, params } = call;
  const narrow = await compileNarrow(call, params.narrow ?? []);
  const rows = await fetchPage(
    call,
    { ...narrow, history: !narrow.personal },
    { ids: params.msg_ids },
  );
  const texts = rows.map(({ channel_id, topic, rendered_content }) => ({
    topic: channel_id === null ? '' : shownTopic(topic, params.allow_empty_topic_name),
    rendered_content,
  }));
  const marked = narrow.search
    ? await highlight(db, narrow.search.query, texts)
    : texts.map(({ topic, rendered_content }) => ({
        match_content: rendered_content,
        match_subject: escapeHtml(topic),
      }));
  const matches = marked.map((match, at) => [rows[at]?.id, match]);
  return { messages: Object.fromEntries(matches) };
};
