const UNRELEASED = '## [Unreleased]';

/**
 * The changelog with a section for the version, holding what was unreleased, and an empty one above it. Undefined where
 * nothing was.
 */
export function releasedChangelog(text: string, version: string, day: string): string | undefined {
  const at = text.indexOf(`${UNRELEASED}\n`);
  if (at < 0) return undefined;
  const from = at + UNRELEASED.length;
  const next = text.indexOf('\n## [', from);
  const changes = text.slice(from, next < 0 ? text.length : next);
  if (!/^- /m.test(changes)) return undefined;
  return `${text.slice(0, from)}\n\n## [${version}] - ${day}${text.slice(from)}`;
}
