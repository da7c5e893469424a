import { useMemo } from 'preact/hooks';

import { BackLink } from '../controls/back-link.tsx';
import { Button } from '../controls/button.tsx';
import { ClockTime } from '../controls/clock-time.tsx';
import { Command } from '../controls/empty.tsx';
import { Fact, Facts } from '../controls/facts.tsx';
import { Pill } from '../controls/pill.tsx';
import { type Column, Table } from '../list/table.tsx';
import { href } from '../navigation/location.ts';
import type { PartProps } from '../parts/part.ts';
import { examplePush } from './example-push.ts';
import { HopLanes } from './hop-lanes.tsx';
import { hopSpans, sealedSpan } from './hop-spans.ts';
import { hopNames } from './names.ts';
import type { PhoneActions } from './phone-actions.ts';
import { outcomeOf, type PushRow, rowsOf, summaryOf } from './push-rows.ts';
import { PushesOff } from './pushes-off.tsx';
import { hrefOf } from './selection.ts';
import type { PhoneStore } from './store.ts';
import { type Target, targetsOf } from './target.ts';
import { useJoined } from './use-joined.ts';

interface OverviewProps extends PartProps {
  readonly store: PhoneStore;
  readonly actions: PhoneActions;
}
interface TargetRow extends PushRow {
  readonly target: Target;
}
/** So many pushes are shown; a phone has all of its own. */
const MAX_SHOWN = 8;

/** The latest pushes to all devices of the account, or what to do to get the first one. */
export function PhonesOverview({ account, store, actions }: OverviewProps) {
  const state = account.state.value;
  const { push_devices, devices } = state ?? {};
  const targets = useMemo(
    () => targetsOf(store.phones.value, state),
    [store.phones.value, push_devices, devices],
  );
  const rows = useMemo(
    () =>
      targets
        .flatMap((target) =>
          rowsOf(target, store.traces.value).map((row): TargetRow => ({ ...row, target })),
        )
        .toSorted((a, b) => b.at - a.at)
        .slice(0, MAX_SHOWN),
    [targets, store.traces.value],
  );
  const [latest] = rows;
  // A phone that was removed may have left its registration.
  const isWithout = (store.isSandbox.value ? store.phones.value : targets).length === 0;
  return (
    <section class="phones-overview" aria-labelledby="phones-overview">
      <header class="page-head phone-head">
        <BackLink to={href(['phones'])} label="Back to phones" />
        <h2 id="phones-overview" class="grow clip">
          Pushes
        </h2>
        {targets.length > 0 && (
          <Button kind="primary" icon="bell" onClick={() => void actions.test()}>
            Send a test to all phones
          </Button>
        )}
      </header>
      <PushesOff account={account} />
      <div class="phones-overview-body">
        {isWithout && <FirstPhone account={account} store={store} actions={actions} />}
        <section aria-labelledby="push-way">
          <h3 id="push-way">{latest ? 'The latest push, hop by hop' : 'How a push travels'}</h3>
          {latest ? (
            <LatestPush key={latest.cipher_id} store={store} row={latest} />
          ) : (
            <>
              <p class="muted">
                An example: the provider is busy at first, and takes the push at the second attempt.
              </p>
              <HopLanes {...examplePush} />
            </>
          )}
          <Facts>
            {Object.entries(hopTexts).map(([hop, text]) => (
              <Fact key={hop} name={hopNames[hop as keyof typeof hopTexts]}>
                {text}
              </Fact>
            ))}
          </Facts>
        </section>
        {targets.length > 0 && (
          <section aria-labelledby="latest-pushes">
            <h3 id="latest-pushes">Latest pushes</h3>
            {rows.length > 0 ? (
              <Table
                label="Latest pushes"
                rows={rows}
                columns={columns}
                keyOf={({ cipher_id }) => cipher_id}
                hrefOf={({ target, cipher_id }) => hrefOf(target.to, cipher_id)}
              />
            ) : (
              <p class="muted">
                None yet. Messages for you are pushed while you are idle; a test at any time.
              </p>
            )}
            {store.isSandbox.value && (
              <>
                <p class="muted">Another user's message to you, from a terminal:</p>
                <Command text="npx bellhop try push" />
              </>
            )}
          </section>
        )}
      </div>
    </section>
  );
}

const hopTexts = {
  server: 'writes the text and encrypts it for the phone',
  bouncer: 'finds the token of the phone; it cannot read the text',
  link: 'is the connection of the bouncer to Apple or Google',
  provider: 'is Apple, Google or a web push service, and wakes the phone',
  phone: 'decrypts the text and shows it',
};

const columns: readonly Column<TargetRow>[] = [
  { title: 'Time', cell: ({ at }) => <ClockTime ms={at} /> },
  { title: 'Phone', isWide: true, cell: ({ target }) => target.name },
  {
    title: 'Outcome',
    cell: (row) => {
      const { word, tone, icon } = outcomeOf(row);
      return (
        <Pill tone={tone} icon={icon}>
          {word}
        </Pill>
      );
    },
  },
  {
    title: 'Push',
    cell: (row) => <span dir="auto">{summaryOf(row)}</span>,
  },
];

/** A push over all its hops, with a link to its trace. */
function LatestPush({ store, row }: { readonly store: PhoneStore; readonly row: TargetRow }) {
  const { target, cipher_id } = row;
  const trace = useJoined(store, target, row);
  if (!trace) return <div class="latest-push" />;
  return (
    <div class="latest-push">
      <p>
        <a href={hrefOf(target.to, cipher_id)}>{summaryOf(row)}</a>
        <span class="muted">
          , to {target.name}: {trace.verdict}
        </span>
      </p>
      <HopLanes spans={hopSpans(trace)} sealed={sealedSpan(trace)} silent={trace.silent} />
    </div>
  );
}

/** What to do to get the first phone, on this server. */
function FirstPhone({ account, store, actions }: OverviewProps) {
  const state = account.state.value;
  const { delivery_email, email = '' } =
    state?.realm_users?.find(({ user_id }) => user_id === account.user_id) ?? {};
  if (store.isSandbox.value)
    return (
      <section aria-labelledby="first-phone">
        <h3 id="first-phone">No phones yet</h3>
        <p>
          A phone that you add registers with the server and shows what is pushed to you. Each
          account has its own phones; those that a sandbox starts with belong to Max.
        </p>
        <div>
          <Button kind="primary" icon="plus" onClick={() => void actions.add('fcm')}>
            Add phone
          </Button>
        </div>
      </section>
    );
  if (state?.realm_push_notifications_enabled === false)
    return (
      <section aria-labelledby="first-phone">
        <h3 id="first-phone">Push notifications are off</h3>
        <p>
          This server uses no bouncer, which hands pushes to Apple and Google. The operator of a
          bouncer gives its address, for BELLHOP_BOUNCER_URL, and an invitation, for
          BELLHOP_BOUNCER_REGISTRATION_TOKEN. This command makes the credentials:
        </p>
        <Command text="npx bellhop secrets org" />
        <p class="muted">
          The operator of this server sets them in its environment, and starts it again.
        </p>
      </section>
    );
  return (
    <section aria-labelledby="first-phone">
      <h3 id="first-phone">No phones yet</h3>
      <p>
        Sign in to this server in an app on a phone, and the phone appears here with every push to
        it. Or register a simulated phone with this command:
      </p>
      <Command
        text={`npx bellhop device add --server ${location.origin} --email ${delivery_email ?? email} --bouncer-key KEY`}
      />
      <p class="muted">
        It needs your API key as BELLHOP_API_KEY, for KEY the public key of the bouncer's apps, and
        a simulator that the bouncer sends to (“npx bellhop simulator start”).
      </p>
    </section>
  );
}
