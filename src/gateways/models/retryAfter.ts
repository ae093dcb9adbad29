const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What a provider asks its callers to wait, from its headers or else from its words. */
export function retryAfterMs(
  from: { readonly headers: Headers; readonly text: string },
  now: number,
): number | undefined {
  return (
    number(from.headers.get('retry-after-ms'), 1) ??
    number(from.headers.get('retry-after'), 1_000) ??
    untilDate(from.headers.get('retry-after'), now) ??
    inWords(from.text) ??
    untilReset(from.headers.get('x-ratelimit-reset'), now)
  );
}

function number(value: string | null, unit: number): number | undefined {
  return value !== null && /^\d+(?:\.\d+)?$/.test(value.trim())
    ? Math.round(Number(value) * unit)
    : undefined;
}

function untilDate(value: string | null, now: number): number | undefined {
  const at = value === null ? Number.NaN : Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** "Please try again in 7m12.5s", "retry in 32 seconds". */
function inWords(text: string): number | undefined {
  const said =
    /(?:try again|retry|wait) (?:in|after|for)? ?((?:\d{1,9}(?:\.\d{1,9})? ?(?:ms|s|m|h|d)[a-z]* ?)+)/i.exec(
      text,
    );
  if (!said?.[1]) return undefined;
  let ms = 0;
  for (const [, value = '', unit = ''] of said[1].matchAll(/(\d{1,9}(?:\.\d{1,9})?) ?(ms|s|m|h|d)/gi)) {
    ms += Number(value) * (UNITS[unit.toLowerCase()] ?? 0);
  }
  return Math.round(ms);
}

/** OpenRouter's: Unix milliseconds. Others say seconds, or something else by the same name. */
function untilReset(value: string | null, now: number): number | undefined {
  return value !== null && /^\d{13}$/.test(value) ? Math.max(0, Number(value) - now) : undefined;
}
