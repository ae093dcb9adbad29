import { ask, type Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { useDraft } from '../../parts/draft.ts';
import { Field, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { Reading } from '../../parts/states.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { words } from './words.ts';

type Profile = Output<'GET /api/memory/profile'>['profile'];

interface Draft {
  readonly name: string;
  readonly style: string;
  readonly patterns: string;
  readonly preferences: string;
}

/** How hark calls you and talks to you; shown as it was, where that is asked for. */
export function ProfileForm() {
  const read = useResource('GET /api/memory/profile', asItWas(), ['memory.profile.*', 'memory.erased']);
  const profile = read.data.value?.profile;
  const typed = useDraft(draftOf(profile ?? {}));
  const reading = <Reading of={read} />;
  if (!profile) return reading;
  const isPast = moment.value !== undefined;
  const draft = isPast ? draftOf(profile) : typed.draft;
  const set = (field: keyof Draft) => (value: string) => typed.set({ [field]: value });
  const wrong = linesOf(draft.preferences).find((line) => !/\S\s*:\s*\S/.test(line));
  const save = async () => {
    if (wrong !== undefined) return;
    const done = await attempt(() => ask('PUT /api/memory/profile', profileOf(draft)));
    if (!done) return;
    read.assume({ profile: profileOf(draft) });
    typed.saved(draft);
    tell(words.profileSaved, () => ask('PUT /api/memory/profile', { ...profileOf(draftOf({})), ...profile }));
  };
  return (
    <Form class="profile-form" onSubmit={save}>
      {reading}
      <fieldset disabled={isPast}>
        <TextField label={words.name} hint={words.nameHint} value={draft.name} onValue={set('name')} />
        <TextField label={words.style} value={draft.style} onValue={set('style')} />
        <Lines
          label={words.patterns}
          hint={words.patternsHint}
          value={draft.patterns}
          onValue={set('patterns')}
        />
        <Lines
          label={words.preferences}
          hint={words.preferencesHint}
          value={draft.preferences}
          onValue={set('preferences')}
          {...(wrong === undefined ? {} : { wrong: words.wrongLine(wrong) })}
        />
      </fieldset>
      {isPast ? null : (
        <button type="submit" class="main" disabled={!typed.isChanged}>
          {words.save}
        </button>
      )}
    </Form>
  );
}

interface LinesProps {
  readonly label: string;
  readonly hint: string;
  readonly wrong?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function Lines({ label, hint, wrong, value, onValue }: LinesProps) {
  return (
    <Field label={label} hint={hint} wrong={wrong}>
      {(ties) => (
        <textarea {...ties} rows={4} value={value} onInput={(event) => onValue(event.currentTarget.value)} />
      )}
    </Field>
  );
}

function draftOf({ name = '', communicationStyle = '', patterns = [], preferences = {} }: Profile): Draft {
  const preferred = Object.entries(preferences).map(([what, how]) => `${what}: ${how}`);
  return {
    name,
    style: communicationStyle,
    patterns: patterns.join('\n'),
    preferences: preferred.join('\n'),
  };
}

function profileOf({ name, style, patterns, preferences }: Draft): Profile {
  const preferred = linesOf(preferences).map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  return {
    name: name.trim(),
    communicationStyle: style.trim(),
    patterns: linesOf(patterns),
    preferences: Object.fromEntries(preferred),
  };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
