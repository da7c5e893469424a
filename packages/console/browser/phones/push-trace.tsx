import type { JoinedTrace } from '@bellhop/push-trace';

import { IconButton } from '../controls/button.tsx';
import { CopyAs } from '../controls/copy-as.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { durationText } from '../controls/duration-text.ts';
import { Pill } from '../controls/pill.tsx';
import { saveJson } from '../controls/save-json.ts';
import { Tabs } from '../controls/tabs.tsx';
import { Countdown } from '../controls/ticking.tsx';
import { toastError } from '../controls/toasts.tsx';
import { BodyView } from '../json/body-view.tsx';
import { curlOf } from '../json/curl.ts';
import { useKeys } from '../navigation/keys.ts';
import { href, query, setQuery } from '../navigation/location.ts';
import { closeOpened } from '../records/opened.ts';
import { HopFacts } from './hop-facts.tsx';
import { HopLanes } from './hop-lanes.tsx';
import { HopList } from './hop-list.tsx';
import { type HopSpan, hopSpans, sealedSpan } from './hop-spans.ts';
import { openedPush } from './push-list.tsx';
import { outcomeOf, type PushRow } from './push-rows.ts';
import type { PhoneStore } from './store.ts';
import type { Target } from './target.ts';
import { useJoined } from './use-joined.ts';

const tabNames = { hops: 'Hops', text: 'Plaintext', cipher: 'Ciphertext', facts: 'Facts' };

interface PushTraceProps {
  readonly store: PhoneStore;
  readonly target: Target;
  readonly row: PushRow;
}
type Tab = keyof typeof tabNames;

/** One push over all five hops: server, bouncer, its link to the provider, provider, phone. */
export function PushTrace({ store, target, row }: PushTraceProps) {
  const trace = useJoined(store, target, row);
  const { word, tone, icon, status } = outcomeOf(row);
  const spans = trace ? hopSpans(trace) : [];
  const steps = stepsOf(spans);
  const tab: Tab = isTab(query.value['tab']) ? query.value['tab'] : 'hops';
  const given = query.value['asof'];
  const step = given === undefined ? steps.length - 1 : Math.min(Number(given), steps.length - 1);
  const asOf = step === steps.length - 1 ? Infinity : (steps[step] ?? Infinity);
  const start = steps[0] ?? 0;
  const goTo = (to: number) => {
    const isEnd = to >= steps.length - 1;
    setQuery({ asof: isEnd ? undefined : String(Math.max(0, to)) }, { replace: true });
  };
  useKeys('Push trace', [
    { keys: '[', label: 'Step back in time', run: () => goTo(step - 1) },
    { keys: ']', label: 'Step forward in time', run: () => goTo(step + 1) },
  ]);
  return (
    <section class="push-trace" aria-label="Push trace">
      <div class="row trace-head">
        <IconButton icon="arrow-left" label="Close push" onClick={close} />
        <h2 class="mono clip">{row.cipher_id}</h2>
        <CopyButton text={row.cipher_id} />
        {target.phone && row.arrivals.length > 0 && (
          <IconButton
            icon="file"
            label="Save as test vector"
            onClick={() => void saveVector(store, target.name, row.cipher_id).catch(toastError)}
          />
        )}
        <span class="grow" />
        <Pill tone={tone} icon={icon}>
          {word}
        </Pill>
      </div>
      {trace && (
        <>
          <p class="trace-verdict">
            {status === 'waiting' ? (
              <>
                so far: {trace.verdict}
                <NextAttempt trace={trace} />
              </>
            ) : (
              <>
                {trace.verdict}
                <span class="muted">, {`${durationText((steps.at(-1) ?? 0) - start)} total`}</span>
              </>
            )}
          </p>
          <div class="inspector-actions">
            <CopyAs label="Copy as curl" text={() => traceCurl(row)} />
            {typeof row.trace?.message_id === 'number' && (
              <a class="button" href={href(['chat', 'search', `id:${row.trace.message_id}`])}>
                Show message
              </a>
            )}
          </div>
          <HopLanes spans={spans} sealed={sealedSpan(trace)} silent={trace.silent} asOf={asOf} />
          <label class="as-of row">
            <span class="muted">As of</span>
            <input
              class="grow"
              type="range"
              min={0}
              max={Math.max(0, steps.length - 1)}
              value={step}
              aria-valuetext={asOfText(asOf, start)}
              onInput={({ currentTarget }) => goTo(Number(currentTarget.value))}
            />
            <output class="time">{asOfText(asOf, start)}</output>
          </label>
          <Tabs
            label="Push trace"
            tabs={tabNames}
            chosen={tab}
            onChoose={(next) => setQuery({ tab: next === 'hops' ? undefined : next })}
          >
            {tab === 'hops' && <HopList trace={trace} asOf={asOf} />}
            {tab === 'facts' && <HopFacts trace={trace} />}
            {tab === 'text' && <Plaintext row={row} target={target} />}
            {tab === 'cipher' && <Ciphertext row={row} />}
          </Tabs>
        </>
      )}
    </section>
  );
}

/** The call that reads the trace at the server. */
const traceCurl = ({ cipher_id }: PushRow) =>
  curlOf({
    method: 'GET',
    url: `${location.origin}/api/v1/mobile_push/traces?cipher_id=${cipher_id}`,
    login: '$BELLHOP_EMAIL:$BELLHOP_API_KEY',
  });

const close = () => closeOpened(openedPush);

/** Saves a push with the key of the simulated phone, in the form of the vectors of `push-crypto`. */
async function saveVector({ client }: PhoneStore, name: string, cipher_id: string): Promise<void> {
  const vectors = await client.phones.vectors({ name, cipher_id });
  saveJson(`push-${cipher_id}.json`, `${JSON.stringify(vectors, null, 2)}\n`);
}

/** How long until the bouncer tries again. */
function NextAttempt({ trace: { bouncer } }: { trace: JoinedTrace }) {
  const retry_at = bouncer.at(-1)?.stages.at(-1)?.retry_at ?? null;
  if (retry_at === null) return null;
  return (
    <span class="muted">
      , next attempt in <Countdown to={retry_at * 1000} due="a moment" />
    </span>
  );
}

const isTab = (name: string | undefined): name is Tab =>
  name !== undefined && Object.hasOwn(tabNames, name);

/** The times at which something began or ended, UNIX milliseconds. */
const stepsOf = (spans: readonly HopSpan[]): readonly number[] =>
  [...new Set(spans.flatMap(({ from, to }) => [from, to]))].toSorted((a, b) => a - b);

const asOfText = (asOf: number, start: number): string =>
  asOf === Infinity ? 'the end' : `after ${durationText(asOf - start)}`;

/** The text that the phone decrypted, as JSON. */
export const plaintextOf = ({ arrivals }: PushRow): string =>
  arrivals[0]?.payload ? JSON.stringify(arrivals[0].payload, null, 2) : '';

function Plaintext({ row, target }: { row: PushRow; target: Target }) {
  const text = plaintextOf(row);
  if (text === '')
    return (
      <p class="muted">
        {target.phone
          ? 'Only the phone can decrypt this, and it has not arrived yet.'
          : 'Only the device can decrypt this, and it belongs to another app.'}
      </p>
    );
  return <BodyView title="Plaintext" text={text} />;
}

function Ciphertext({ row: { arrivals } }: { row: PushRow }) {
  const [arrival] = arrivals;
  if (!arrival) return <p class="muted">The ciphertext is available once it has arrived.</p>;
  return <BodyView title="Ciphertext" text={arrival.encrypted_data} />;
}
