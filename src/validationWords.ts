import { z } from 'zod';

/** What is expected, in words for people; the library has names of its own for some. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  date: 'a date',
  null: 'null',
};

/** Texts of strangers are named no longer than this. */
const LONGEST_KEY = 64;
const MOST_KEYS = 3;

type Raw<Issue extends z.core.$ZodIssueBase = z.core.$ZodIssue> = z.core.$ZodRawIssue<Issue>;

/** Says what input has to be, so that it can follow its name: `limit must be at least 1`. */
function words(issue: Raw): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return least(issue);
    case 'too_big':
      return most(issue);
    case 'invalid_value':
      if (issue.input === undefined) return 'is missing';
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return issue.input === undefined ? 'is missing' : union(issue);
    case 'unrecognized_keys':
      return `must not have ${keys(issue.keys)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return format(issue);
    default:
      return undefined;
  }
}

function least({ origin, minimum, inclusive }: Raw<z.core.$ZodIssueTooSmall>): string {
  if (origin === 'string')
    return minimum === 1 ? 'must not be empty' : `must have ${minimum} characters or more`;
  if (origin === 'array' || origin === 'set')
    return minimum === 1 ? 'must not be empty' : `must have ${minimum} entries or more`;
  return inclusive === false ? `must be more than ${minimum}` : `must be at least ${minimum}`;
}

function most({ origin, maximum, inclusive }: Raw<z.core.$ZodIssueTooBig>): string {
  if (origin === 'string') return `must have ${maximum} characters or fewer`;
  if (origin === 'array' || origin === 'set') return `must have ${maximum} entries or fewer`;
  return inclusive === false ? `must be less than ${maximum}` : `must be at most ${maximum}`;
}

/** One that is told apart by a field has no errors of its forms; of the others each form has its own. */
function union({ errors, options }: Raw<z.core.$ZodIssueInvalidUnion>): string | undefined {
  if (Array.isArray(options)) return `must be one of ${options.map(String).join(', ')}`;
  const forms = errors.flatMap((form) => (form.length === 1 && form[0]?.path.length === 0 ? [form[0]] : []));
  const told = new Set(forms.map(({ message }) => message.replace(/^must be /, '')));
  return told.size > 0 && told.size === errors.length ? `must be ${[...told].join(' or ')}` : undefined;
}

function keys(names: readonly string[]): string {
  const some = names.slice(0, MOST_KEYS).map((name) => JSON.stringify(name.slice(0, LONGEST_KEY)));
  const more = names.length - some.length;
  return `the field${names.length > 1 ? 's' : ''} ${some.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function format({ format: name, pattern }: Raw<z.core.$ZodIssueInvalidStringFormat>): string | undefined {
  if (name === 'regex') return `must match ${pattern}`;
  if (name === 'datetime') return 'must be a time in ISO 8601';
  return name === 'url' ? 'must be a URL' : undefined;
}

z.config({ customError: words });
