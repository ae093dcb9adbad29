import '../../look/lists.css';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { SelectField } from '../../parts/fields.tsx';
import { Go } from '../../parts/go.tsx';
import { Page } from '../../parts/page.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { go, search } from '../../state/place.ts';
import { asChoice } from '../../words/format.ts';
import { parts } from '../../words/parts.ts';
import { Builder } from './builder.tsx';
import { OneTask } from './task.tsx';
import { TaskActions, taskKeys } from './taskActions.tsx';
import { whenText } from './whenText.ts';
import { words } from './words.ts';

export type Task = Output<'GET /api/scheduler/tasks'>['tasks'][number];

const A_PAGE = 50;
const filters = ['active', 'paused', 'completed', 'cancelled', 'failed', 'all'] as const;

export default function Schedules() {
  const { params } = useRoute();
  return params.task === undefined ? <List /> : <OneTask taskId={params.task} />;
}

function List() {
  const { query } = useLocation();
  const [limit, setLimit] = useState(A_PAGE);
  const [isBuilding, setBuilding] = useState(false);
  const filter = filters.find((one) => one === query.status) ?? 'active';
  const listed = useResource(
    'GET /api/scheduler/tasks',
    { limit, ...(filter === 'all' ? {} : { status: filter }), ...asItWas() },
    ['schedule.*'],
  );
  const { tasks, count = 0, next } = listed.data.value ?? {};
  const canChange = moment.value === undefined;
  const add = (
    <button type="button" class="main" onClick={() => setBuilding(true)}>
      {words.add}
    </button>
  );
  return (
    <Page title={words.title} about={words.about} actions={canChange ? add : null}>
      <div class="list-head">
        <SelectField
          label={words.show}
          value={filter}
          options={filters.map((value) => ({
            value,
            says: asChoice(value === 'all' ? words.all : words.statuses[value]),
          }))}
          onValue={(status) => search({ status: status === 'active' ? undefined : status })}
        />
        <p class="quiet" role="status">
          {words.count(count)}
        </p>
      </div>
      <Reading of={listed} />
      {tasks?.length === 0 ? (
        <Empty title={filter === 'active' ? words.empty : words.emptyOther}>
          <p>{words.emptyNext}</p>
        </Empty>
      ) : null}
      {tasks && tasks.length > 0 ? (
        <Rows
          label={words.list}
          rows={tasks}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          onOpen={({ id }) => go(`/schedules/${id}`)}
          keys={canChange ? taskKeys : []}
        >
          {(task) => (
            <article class="row-head">
              <About task={task} />
              {canChange ? <TaskActions task={task} /> : null}
            </article>
          )}
        </Rows>
      ) : null}
      {next === undefined ? null : (
        <button type="button" class="more" onClick={() => setLimit(limit + A_PAGE)}>
          {parts.more}
        </button>
      )}
      {isBuilding ? <Builder onClose={() => setBuilding(false)} /> : null}
    </Page>
  );
}

function About({ task }: { readonly task: Task }) {
  const { id, name, status, nextRunAt, lastRunAt, runCount, failures, madeBy } = task;
  return (
    <div>
      <Go to={`/schedules/${id}`} class="row-title">
        {name === '' ? words.forgotten : <Plain text={name} most={200} />}
      </Go>
      <p class="small facts">
        <span>{whenText(task.schedule)}</span>
        {nextRunAt === undefined ? null : (
          <span>
            {words.nextRun} <Time at={nextRunAt} />
          </span>
        )}
      </p>
      <p class="quiet small facts">
        <span>{words.statuses[status]}</span>
        {runCount > 0 ? <span>{words.runs(runCount)}</span> : null}
        {lastRunAt === undefined ? null : (
          <span>
            {words.lastRun} <Time at={lastRunAt} />
          </span>
        )}
        {madeBy === 'user' ? null : <span>{words.madeBy[madeBy]}</span>}
        {failures > 0 ? <span class="wrong">{words.failures(failures)}</span> : null}
      </p>
    </div>
  );
}
