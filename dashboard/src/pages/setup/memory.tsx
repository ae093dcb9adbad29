import { useState } from 'preact/hooks';
import { ask, type Output } from '../../api/ask.ts';
import { newId } from '../../api/newId.ts';
import { now } from '../../api/now.ts';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { Go } from '../../parts/go.tsx';
import { Plain } from '../../parts/plain.tsx';
import { shareText } from '../../words/format.ts';
import type { StepProps } from './setup.tsx';
import { words } from './words.ts';

type Episode = Output<'GET /api/memory/episodes'>['episodes'][number];
type Belief = Output<'GET /api/memory/conclusions'>['conclusions'][number];

const text = words.memory;

/** One sentence, what becomes of it and why, and how it is gone again. */
export function MemoryStep({ status, attempt, reload }: StepProps) {
  const [sentence, setSentence] = useState('');
  const [kept, setKept] = useState<{ readonly episode: Episode; readonly beliefs: readonly Belief[] }>();
  const [says, setSays] = useState<string>();
  const remember = async () => {
    setSays(text.working);
    setKept(undefined);
    const episode = await keep(sentence);
    setSays(episode ? undefined : text.nothing);
    if (!episode) return;
    setSentence((now) => (now === sentence ? '' : now));
    setKept({ episode, beliefs: await beliefsFrom(episode.id) });
  };
  const forget = async (episode: Episode) => {
    await ask('DELETE /api/memory/episodes/:id', { id: episode.id });
    setKept(undefined);
    setSays(text.forgotten);
    reload();
  };
  const isDone = status.steps.find(({ id }) => id === 'memory')?.state === 'done';
  return (
    <>
      <p class="quiet">{isDone ? text.done : text.about}</p>
      <Form onSubmit={() => sentence.trim() !== '' && attempt(remember)}>
        <TextField
          label={text.sentence}
          placeholder={text.placeholder}
          value={sentence}
          onValue={setSentence}
        />
        <button type="submit" class="main">
          {text.remember}
        </button>
      </Form>
      <p role="status">{says}</p>
      {kept ? (
        <>
          <h3>{text.episode}</h3>
          <blockquote class="setup-said">
            <Plain text={kept.episode.summary} />
          </blockquote>
          <h3>{text.belief}</h3>
          {kept.beliefs.length === 0 ? <p>{text.noBelief}</p> : null}
          {kept.beliefs.map(({ id, text: belief, confidence }) => (
            <p key={id}>
              <Plain text={belief} /> <span class="quiet small">{shareText(confidence)}</span>{' '}
              <Go to={`/why/${id}`}>{text.why}</Go>
            </p>
          ))}
          <p>
            <button type="button" onClick={() => void attempt(() => forget(kept.episode))}>
              {text.forget}
            </button>
          </p>
        </>
      ) : null}
    </>
  );
}

/** As a conversation of one message, which needs no model. */
async function keep(sentence: string): Promise<Episode | undefined> {
  const id = `setup-${newId()}`;
  const session = { id, startedAt: now(), messages: [{ role: 'user', content: sentence.trim() }] };
  await ask('POST /api/memory/import', { source: 'conversation', content: { sessions: [session] } });
  const { episodes } = await ask('GET /api/memory/episodes', { limit: 100 });
  return episodes.find(({ sessionId }) => sessionId === id);
}

async function beliefsFrom(episodeId: string): Promise<readonly Belief[]> {
  return (await ask('GET /api/memory/conclusions', { source: episodeId })).conclusions;
}
