import assert from 'node:assert/strict';
import { afterAll, describe, it } from 'vitest';
import { Definitions } from '../../src/workflowFiles/definitions.ts';
import type { Variables } from '../../src/workflowFiles/messages.ts';

const definitions = new Definitions({ limitMs: 30_000 });
const impatient = new Definitions({ limitMs: 300 });
afterAll(() => Promise.all([definitions.stop(), impatient.stop()]));

const variables: Variables = {
  input: { n: 3, price: 1.5, name: 'Ann', list: [1, 2, 3], none: null, long: 'a'.repeat(40) },
  steps: { one: { answer: 'yes' }, two: null },
  errors: { two: 'Not there' },
  execution: { id: 'e', workflowId: 'w', startTime: 7 },
};

describe('a template', () => {
  for (const [template, value] of [
    ['{{ input.n }}', 3],
    ['{{ input.n + 1 }}', 4],
    ['{{ 1 + input.price * 2 }}', 4],
    ['{{ input.list.map(x, x * 2) }}', [2, 4, 6]],
    ['{{ input.n % 2 == 1 }}', true],
    ['{{ input.list[input.n - 1] }}', 3],
    ['{{ timestamp("2026-01-01T00:00:00Z") + duration("1h") }}', '2026-01-01T01:00:00.000Z'],
    ['{{ steps.two }}', null],
    ['{{ steps.?two.?answer.orValue("no") }}', 'no'],
    ['Dear {{ input.name }}, {{ steps.one }}{{ input.none }}', 'Dear Ann, {"answer":"yes"}'],
    [
      { a: ['{{ errors.two }}', 1, 'plain'], b: {} },
      { a: ['Not there', 1, 'plain'], b: {} },
    ],
    ['{{ {"n": input.n, "all": [1, "x", null]} }}', { n: 3, all: [1, 'x', null] }],
  ] as const)
    it(`${JSON.stringify(template)} gives ${JSON.stringify(value)}`, async () => {
      assert.deepEqual(await definitions.fill(template, variables), { value });
    });

  for (const [template, problem] of [
    ['{{ input.missing }}', /^No such key: missing$/],
    ['{{ input.constructor }}', /^No such key: constructor$/],
    ['{{ input.name.length }}', /^No such key: length$/],
    ['{{ process.env }}', /^Unknown variable: process$/],
    ['{{ 1 / 0 }}', /zero/],
    ['{{ input.name + 1 }}', /no such overload/],
  ] as const)
    it(`${template} is a problem`, async () => {
      const answer = await definitions.fill(template, variables);
      assert.ok('problem' in answer);
      assert.match(answer.problem, problem);
    });

  it('may name what is called constructor', async () => {
    const cars: readonly Record<string, unknown>[] = [
      { name: 'one', constructor: 'McLaren' },
      { name: 'two' },
    ];
    const input = { constructor: { name: 'Ann' }, cars };
    const template = [
      '{{ input.constructor.name }}',
      '{{ has(input.constructor) && "constructor" in input && size(input) == 2 }}',
      '{{ input.cars.filter(car, car.?constructor.orValue("") == "McLaren") }}',
      '{{ input == input }}',
      '{{ input }}',
    ];
    assert.deepEqual(await definitions.fill(template, { ...variables, input }), {
      value: ['Ann', true, [cars[0]], true, input],
    });
  });

  it('that repeats what is long as often as it likes is a problem', async () => {
    const long = { ...variables, input: { long: 'a'.repeat(100_000) } };
    const answer = await definitions.fill(['{{ input.long }}', '{{ input.long }}', '{{ input.long }}'], long);
    assert.deepEqual(answer, { problem: 'Becomes longer than 256 KiB' });
  });

  for (const [what, expression] of [
    ['a pattern that never ends', 'input.long.matches("(a|a)*b")'],
    [
      'lists in lists in lists',
      'input.long.split("").all(a, input.long.split("").all(b, input.long.split("").all(c, ' +
        'input.long.split("").all(d, input.long.split("").all(e, a + b + c + d + e != "x")))))',
    ],
  ] as const)
    it(`${what} is given up, and others are not touched by it`, async () => {
      const slow = impatient.fill(`{{ ${expression} }}`, variables);
      const quick = impatient.fill('{{ input.n }}', variables);
      assert.deepEqual(await slow, { problem: 'Takes too long to work out' });
      assert.deepEqual(await quick, { value: 3 });
    });
});

it('the time that a thread takes to start is none of a first job that takes too long', async () => {
  const own = new Definitions({ limitMs: 50 });
  const startedAt = performance.now();
  const answer = await own.fill('{{ input.long.matches("(a|a)*b") }}', variables);
  assert.deepEqual(answer, { problem: 'Takes too long to work out' });
  assert.ok(performance.now() - startedAt < 8_000);
  await own.stop();
});

describe('a condition', () => {
  it('has to be true or false', async () => {
    assert.deepEqual(await definitions.holds('input.n > 2', variables), { value: true });
    const answer = await definitions.holds('input.n', variables);
    assert.deepEqual(answer, { problem: 'A condition must be true or false' });
  });
});

describe('a file', () => {
  const call = '{ id: call, type: ACTION, tool: t }';
  for (const [what, text, problem] of [
    ['no YAML', 'steps: [', /^Flow sequence .* at line 1/],
    ['a list', '- 1', 'A workflow is an object with steps'],
    ['nothing', '', 'A workflow is an object with steps'],
    ['no steps', 'name: x', 'steps: is missing'],
    ['a key twice', 'name: a\nname: b\nsteps: []', /^Map keys must be unique/],
    [
      'an unknown type of step',
      'steps: [{ id: a, type: CODE }]',
      /^steps\[0\]\.type: must be one of ACTION, /,
    ],
    [
      'an id that no expression can name',
      'steps: [{ id: a-b, type: ACTION, tool: t }]',
      /^steps\[0\]\.id: must be/,
    ],
    ['the same id twice', `steps: [${call}, ${call}]`, 'steps: has two steps with the id call'],
    ['a typing error', 'steps: [{ id: a, type: ACTION, tools: t }]', /must not have the field "tools"/],
    [
      'a wait of two kinds',
      'steps: [{ id: a, type: WAIT, duration: 1h, until: 7 }]',
      'steps[0]: needs either duration or until',
    ],
    [
      'a wait of more than a year',
      'steps: [{ id: a, type: WAIT, duration: 400d }]',
      /^steps\[0\]\.duration: must be a duration/,
    ],
    [
      'a time that is none',
      'steps: [{ id: a, type: WAIT, duration: soon }]',
      /^steps\[0\]\.duration: must be a duration/,
    ],
    [
      'an expression that is none',
      'steps: [{ id: a, type: CONDITION, condition: "1 +" }]',
      /^step a: "1 \+": Unexpected token/,
    ],
    [
      'a variable that is none',
      'steps: [{ id: a, type: ACTION, tool: t, input: { x: "{{ foo.bar }}" } }]',
      'step a: "foo.bar": Unknown variable: foo',
    ],
    [
      'a step that comes later',
      `steps: [{ id: a, type: ACTION, tool: t, if: steps.call.x }, ${call}]`,
      'step a: "steps.call.x": No earlier step is called call',
    ],
    [
      'a step that goes on beside it',
      `steps: [{ id: p, type: PARALLEL, branches: [[${call}], [{ id: b, type: ACTION, tool: t, if: steps.call }]] }]`,
      'step b: "steps.call": No earlier step is called call',
    ],
    [
      'an input schema of no object',
      `input: { type: string }\nsteps: [${call}]`,
      'input: must be a schema of an object',
    ],
    [
      'a schema that is none',
      `output: { type: objekt }\nsteps: [${call}]`,
      /^output: is not a JSON Schema: Unsupported type/,
    ],
    [
      'a retry without end',
      'steps: [{ id: a, type: ACTION, tool: t, retry: { attempts: 1000 } }]',
      /^steps\[0\]\.retry\.attempts: /,
    ],
    ['aliases that multiply', bomb(), /^Excessive alias count/],
    [
      'far too many steps',
      `steps: [${Array.from({ length: 201 }, (_, n) => `{ id: s${n}, type: ACTION, tool: t }`)}]`,
      /^steps: /,
    ],
    ['steps that lie too deep', nested(12), 'steps: is nested more than 10 levels deep'],
    ['no end to the depth', nested(20_000), /./],
  ] as const)
    it(`with ${what} says so`, async () => {
      const answer = await definitions.read('file.yaml', text);
      assert.ok('problem' in answer, JSON.stringify(answer));
      if (typeof problem === 'string') assert.equal(answer.problem, problem);
      else assert.match(answer.problem, problem);
    });

  it('of JSON is as good as one of YAML', async () => {
    const steps = [{ id: 'pause', type: 'WAIT', duration: '1h30m' }];
    assert.deepEqual(await definitions.read('later.json', JSON.stringify({ steps })), {
      definition: {
        name: 'later',
        description: '',
        steps: [{ id: 'pause', type: 'WAIT', duration: 5_400_000 }],
      },
    });
  });
});

function bomb(): string {
  const levels = Array.from({ length: 10 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`)}]`);
  return ['a0: &a0 [x]', ...levels, 'steps: *a10'].join('\n');
}

function nested(depth: number): string {
  let inner = '{"id": "s", "type": "ACTION", "tool": "t"}';
  for (let level = 0; level < depth; level++)
    inner = `{"id": "c${level}", "type": "CONDITION", "condition": "true", "do": [${inner}]}`;
  return `{"steps": [${inner}]}`;
}
