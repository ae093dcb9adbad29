import { change } from './changes.ts';
import type { StepProps } from './setup.tsx';
import { words } from './words.ts';

const text = words.reach;

export function ReachStep({ status, attempt }: StepProps) {
  const isDone = status.steps.find(({ id }) => id === 'reach')?.state === 'done';
  if (!status.claimRequired) return <p>{text.keyed}</p>;
  const settle = () => change(status, 'PUT /api/setup/steps/:id', { id: 'reach', state: 'done' });
  return (
    <>
      <p class="quiet">{isDone ? text.done : text.about}</p>
      <p>{text.others}</p>
      <pre>{text.command}</pre>
      <p>
        {isDone ? null : (
          <button type="button" class="main" onClick={() => void attempt(settle)}>
            {text.stay}
          </button>
        )}
      </p>
    </>
  );
}
