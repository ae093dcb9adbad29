import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ask, type Output } from '../../api/ask.ts';
import { Form } from '../../parts/form.tsx';
import { Go } from '../../parts/go.tsx';
import { Plain } from '../../parts/plain.tsx';
import { attempt } from '../../parts/toasts.tsx';
import { moment } from '../../state/moment.ts';
import { shareText } from '../../words/format.ts';
import { words } from './words.ts';

type Source = Output<'GET /api/memory/items'>['items'][number];
type Answer = Output<'POST /api/memory/ask'> & {
  readonly question: string;
  readonly rests: readonly Source[];
};

interface AskingProps {
  readonly question: string;
  readonly children: ComponentChildren;
}

/** What is typed is a question too: the answer is from memory alone, and says on which conversations it rests. */
export function Asking({ question, children }: AskingProps) {
  const [answer, setAnswer] = useState<Answer>();
  const [isAsking, setAsking] = useState(false);
  const find = async () => {
    if (question === '') return;
    setAsking(true);
    await attempt(async () => {
      const found = await ask('POST /api/memory/ask', { question });
      const ids = found.sources.join();
      const { items } = ids === '' ? { items: [] } : await ask('GET /api/memory/items', { ids });
      setAnswer({ ...found, question, rests: items });
    });
    setAsking(false);
  };
  // Only the present is asked.
  if (moment.value !== undefined) return <>{children}</>;
  return (
    <>
      <Form onSubmit={find}>
        {children}
        <button type="submit" disabled={isAsking || question === ''}>
          {words.ask}
        </button>
      </Form>
      <div role="status">{answer?.question === question ? <Answered answer={answer} /> : null}</div>
    </>
  );
}

function Answered({ answer: { answer, confidence, rests } }: { readonly answer: Answer }) {
  if (confidence === 0) return <p>{words.unknown}</p>;
  return (
    <section class="why-answer">
      <blockquote class="why-said">
        <Plain text={answer} most={2_000} />
      </blockquote>
      <p class="quiet small">
        {words.confidence} {shareText(confidence)}
      </p>
      {rests.length === 0 ? null : (
        <>
          <p class="quiet small">{words.restsOn}</p>
          <ul>
            {rests.map(({ id, text }) => (
              <li key={id}>
                <Go to={`/memory?tab=episodes&q=${encodeURIComponent(text.slice(0, 60))}`}>
                  <Plain text={text} most={200} />
                </Go>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
