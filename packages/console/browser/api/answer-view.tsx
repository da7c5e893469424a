import { Pill } from '../controls/pill.tsx';
import { BodyView } from '../json/body-view.tsx';

/** The answer of the server to a call. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly ms: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Whether the text was cut. */
  readonly isCut: boolean;
}

export const AnswerView = ({ answer }: { answer: Answer }) => {
  const isGood = answer.status < 400;
  return (
    <section class="answer" aria-label="Answer" aria-live="polite">
      <div class="row">
        <Pill tone={isGood ? 'ok' : 'bad'} icon={isGood ? 'circle-check' : 'circle-alert'}>
          {answer.status} {answer.statusText}
        </Pill>
        <span class="muted">{answer.ms} ms</span>
      </div>
      <BodyView
        title="Body"
        text={answer.text}
        note={answer.isCut ? 'the rest is not shown' : undefined}
      />
      <details>
        <summary>Headers</summary>
        <dl class="answer-headers">
          {Object.entries(answer.headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
};
