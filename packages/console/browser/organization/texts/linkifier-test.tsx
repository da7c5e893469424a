import type { Linkifier, LinkifierMatch } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { TextField } from '../../controls/field.tsx';
import type { LiveAccount } from '../../live/live-account.ts';

/** The pause in typing after which the server is asked, in milliseconds. */
const PAUSE_MS = 200;

interface LinkifierTestProps {
  readonly account: LiveAccount;
  readonly linkifier: Linkifier | undefined;
  readonly rule: Pick<Linkifier, 'pattern' | 'url_template'>;
}
interface Tried {
  readonly text: string;
  readonly problem: string | null;
  readonly matches: readonly LinkifierMatch[];
}

/** Shows the links that the server makes of a text, while the user types. */
export function LinkifierTest({ account, linkifier, rule }: LinkifierTestProps) {
  const text = useSignal('See #123, it is like #45.');
  const tried = useSignal<Tried | undefined>(undefined);
  const asked = JSON.stringify([rule, text.value]);
  useEffect(() => {
    if (rule.pattern === '' || rule.url_template === '') {
      tried.value = undefined;
      return undefined;
    }
    const stopping = new AbortController();
    const sample = text.peek();
    const ask = async () => {
      const own = linkifier ? { filter_id: linkifier.id } : {};
      const params = { ...rule, ...own, text: sample };
      const answer = await account.client.linkifiers.test(params, { signal: stopping.signal });
      tried.value = { text: sample, ...answer };
    };
    const timer = setTimeout(() => {
      ask().catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        const problem = error instanceof Error ? error.message : String(error);
        tried.value = { text: sample, problem, matches: [] };
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [asked]);
  return (
    <>
      <TextField
        label="Test text"
        maxLength={1000}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
      {tried.value && (
        <div class="org-tried" role="status" aria-label="Result">
          {tried.value.problem === null ? (
            <Result {...tried.value} />
          ) : (
            <span class="org-problem">{tried.value.problem}</span>
          )}
        </div>
      )}
    </>
  );
}

/** The text with its links, and below where they lead. */
function Result({ text, matches }: Tried) {
  if (matches.length === 0) return <span class="muted">Nothing in this text matches.</span>;
  const pieces = matches.map((match, at) => {
    const before = matches[at - 1];
    const from = before ? before.index + before.text.length : 0;
    return { ...match, plain: text.slice(from, match.index) };
  });
  const last = matches.at(-1);
  return (
    <>
      <p>
        {pieces.map(({ plain, text: linked, url, index }) => (
          <span key={index}>
            {plain}
            <a href={url} target="_blank" rel="noopener noreferrer">
              {linked}
            </a>
          </span>
        ))}
        {last && text.slice(last.index + last.text.length)}
      </p>
      <ul role="list" class="mono">
        {matches.map(({ index, url }) => (
          <li key={index}>{url}</li>
        ))}
      </ul>
    </>
  );
}
