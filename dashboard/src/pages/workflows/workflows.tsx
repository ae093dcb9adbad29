import '../../look/lists.css';
import './workflows.css';
import { useRoute } from 'preact-iso';
import type { Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { Go } from '../../parts/go.tsx';
import { Page } from '../../parts/page.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { go } from '../../state/place.ts';
import { words } from './words.ts';
import { OneWorkflow } from './workflow.tsx';

type Listed = Output<'GET /api/workflows'>;
export type Workflow = Listed['workflows'][number];

/** Files are read anew when the page is opened: what changes in a folder leaves no event. */
export default function Workflows() {
  const { params } = useRoute();
  const listed = useResource('GET /api/workflows', {});
  const { workflows, badFiles } = listed.data.value ?? {};
  const chosen = params.workflow;
  if (chosen !== undefined && workflows)
    return <OneWorkflow workflow={workflows.find(({ id }) => id === chosen)} />;
  return (
    <Page isNow title={words.title} about={words.about}>
      <Reading of={listed} />
      {badFiles && badFiles.length > 0 ? <BadFiles files={badFiles} /> : null}
      {workflows?.length === 0 ? (
        <Empty title={words.empty}>
          <p>{words.emptyNext}</p>
        </Empty>
      ) : null}
      {workflows && workflows.length > 0 ? (
        <Rows
          label={words.list}
          rows={workflows}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          onOpen={({ id }) => go(addressOf(id))}
        >
          {({ id, name, description, stepCount }) => (
            <>
              <Go to={addressOf(id)} class="row-title">
                <Plain text={name} most={200} />
              </Go>{' '}
              <span class="quiet small">{words.steps(stepCount)}</span>
              <p class="row-text">
                <Plain text={description} most={300} />
              </p>
            </>
          )}
        </Rows>
      ) : null}
    </Page>
  );
}

const addressOf = (id: string) => `/workflows/${id}`;

function BadFiles({ files }: { readonly files: Listed['badFiles'] }) {
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{words.badFiles}</strong>
      </p>
      <ul>
        {files.map(({ file, problem, keepsOld }) => (
          <li key={file}>
            <code>
              <Plain text={file} most={200} />
            </code>
            : <Plain text={problem} most={600} /> {keepsOld ? words.keepsOld : ''}
          </li>
        ))}
      </ul>
    </div>
  );
}
