import { useResource } from '../../api/resource.ts';
import { Go } from '../../parts/go.tsx';
import { Page } from '../../parts/page.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { History } from './history.tsx';
import { NextRuns } from './nextRuns.tsx';
import type { Task } from './schedules.tsx';
import { TaskActions } from './taskActions.tsx';
import { whenText } from './whenText.ts';
import { words } from './words.ts';

const TOPICS = ['schedule.*'];
const SHOWN_RUNS = 50;

/** One task: what it does, when it runs next, and how it went. */
export function OneTask({ taskId }: { readonly taskId: string }) {
  const read = useResource('GET /api/scheduler/tasks/:taskId', { taskId, ...asItWas() }, TOPICS);
  const runs = useResource(
    'GET /api/scheduler/tasks/:taskId/runs',
    { taskId, limit: SHOWN_RUNS, ...asItWas() },
    TOPICS,
  );
  const task = read.data.value?.task;
  if (!task)
    return (
      <Page title={words.title}>
        <Reading of={read} />
        <Go to="/schedules">{words.back}</Go>
      </Page>
    );
  const { name, schedule, lastResult } = task;
  const { value: ran } = runs.data;
  return (
    <Page
      title={name === '' ? words.forgotten : name}
      actions={moment.value === undefined ? <TaskActions task={task} /> : null}
    >
      <p>
        <Go to="/schedules">{words.back}</Go>
      </p>
      <Facts task={task} />
      {lastResult?.text === undefined ? null : (
        <section>
          <h2>{words.lastResult}</h2>
          <blockquote class="row-text">
            <Plain text={lastResult.text} />
          </blockquote>
        </section>
      )}
      {ran ? (
        <>
          <NextRuns
            times={ran.next}
            zone={schedule.type === 'cron' ? (schedule.timezone ?? 'UTC') : undefined}
          />
          <History runs={ran.runs} />
        </>
      ) : (
        <Reading of={runs} />
      )}
    </Page>
  );
}

function Facts({ task }: { readonly task: Task }) {
  const { status, action, schedule, createdAt, madeBy } = task;
  const text = action.payload?.text;
  return (
    <dl class="pairs">
      <dt>{words.status}</dt>
      <dd>{words.statuses[status]}</dd>
      <dt>{words.when}</dt>
      <dd>{whenText(schedule)}</dd>
      <dt>{words.does}</dt>
      <dd>
        {doing(action.eventTopic)}
        {typeof text === 'string' ? (
          <blockquote class="row-text">
            <Plain text={text} />
          </blockquote>
        ) : action.payload === undefined ? null : (
          <pre>
            <Plain text={JSON.stringify(action.payload, undefined, 2)} />
          </pre>
        )}
      </dd>
      <dt>{words.by}</dt>
      <dd>
        {words.madeBy[madeBy]} <Time at={createdAt} />
      </dd>
    </dl>
  );
}

function doing(topic: string) {
  if (topic === 'agent.reminder.requested') return words.remind;
  if (topic === 'agent.prompt.requested') return words.prompt;
  return (
    <>
      {words.publishes}{' '}
      <code>
        <Plain text={topic} />
      </code>
    </>
  );
}
