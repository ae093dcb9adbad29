import type { ComponentChildren } from 'preact';
import type { Refusal } from '../api/ask.ts';
import type { Resource } from '../api/resource.ts';
import { parts } from '../words/parts.ts';

export function Loading() {
  return (
    <p class="quiet loading" role="status">
      {parts.loading}
    </p>
  );
}

/** An empty page says what would be here, and what to do for it. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** What went wrong, and what to do next. */
export function Failure({ refusal, again }: { readonly refusal: Refusal; readonly again?: () => void }) {
  const { title, next } = told(refusal);
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{title}</strong>
      </p>
      <p>
        {next} {refusal.mayPass ? parts.byItself : null}
      </p>
      {again ? (
        <button type="button" onClick={again}>
          {parts.again}
        </button>
      ) : null}
      {refusal.correlationId === undefined ? null : (
        <p class="quiet small">
          {parts.reference}: <code>{refusal.correlationId}</code>
        </p>
      )}
    </div>
  );
}

interface ReadingProps {
  readonly of: Pick<Resource<unknown>, 'data' | 'refusal' | 'reload'>;
}

/** Stands where something is not there yet, or could not be read. */
export function Reading({ of: { data, refusal, reload } }: ReadingProps) {
  if (refusal.value) return <Failure refusal={refusal.value} again={reload} />;
  return data.value === undefined ? <Loading /> : null;
}

const inOwnWords: Readonly<Record<string, string | undefined>> = parts.refusals;

export function told({ status, message: said, retryAfter, issues }: Refusal): {
  title: string;
  next: string;
} {
  const message = inOwnWords[said] ?? said;
  if (status === 0) return { title: parts.nobodyThere, next: parts.nobodyThereNext };
  if (status === 429) return { title: parts.tooMany, next: parts.tooManyNext(retryAfter ?? 1) };
  // That it is unknown says the title, too.
  if (status === 404)
    return {
      title: parts.notFound,
      next: /^$|^unknown|not found$/i.test(message) ? parts.notFoundNext : message,
    };
  const wrong = issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  return { title: parts.refused, next: [message, ...wrong].join(' · ') };
}
