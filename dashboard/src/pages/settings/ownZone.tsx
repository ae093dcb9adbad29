import { ask } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { chosenUser } from '../../api/user.ts';
import { attempt, tell } from '../../parts/toasts.tsx';
import { moment } from '../../state/moment.ts';
import { words } from './words.ts';

/** Whoever has chosen no zone is told times in that of the service: where this browser is in another, it is offered. */
export function OwnZone() {
  const userId = chosenUser() ?? 'me';
  const read = useResource('GET /api/users/:userId/preferences', { userId }, [
    'settings.preferences.changed',
    'config:changed',
  ]);
  const told = read.data.value?.timezone;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (told === undefined || told === own || moment.value !== undefined) return null;
  const put = async (timezone: string) => {
    read.assume(await ask('PUT /api/users/:userId/preferences', { userId, timezone }));
    return true;
  };
  const use = async () => {
    if (await attempt(() => put(own))) tell(words.saved, () => put(told));
  };
  return (
    <p>
      {words.zone(told)}{' '}
      <button type="button" onClick={() => void use()}>
        {words.useZone(own)}
      </button>
    </p>
  );
}
