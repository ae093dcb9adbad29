import {
  FLOAT,
  type Graph,
  INT64,
  onnxModel,
} from '../../src/sagas/maintenance/contradictions/candidates/onnxModel.ts';

/*
 * An inference model of a few kilobytes with the inputs, the outputs, the tokenizer and the configuration of a real
 * one, for tests. It knows two things: whether the second sentence denies what the first does not, which it calls a
 * contradiction, and whether both have the same words, which it calls an entailment. Everything else is neutral.
 */

const special = ['[PAD]', '[CLS]', '[SEP]', '[UNK]'] as const;
const DENIALS = ['▁not', '▁never', '▁no'];
const words =
  `▁the ▁user ▁likes ▁like ▁does ▁do ▁is ▁has ▁lives ▁works ▁in ▁at ▁a ▁an ▁coffee ▁tea ▁cats ▁dogs ▁berlin
  ▁lisbon ▁vegetarian ▁married ▁runs ▁plays ▁chess ▁violin ▁eats ▁meat ▁drinks ▁smokes`.split(/\s+/);
const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789.,!?'-"].flatMap((letter) => [letter, `▁${letter}`]);
const vocabulary = [...special, ...DENIALS, ...words, '▁', ...letters];

/** The order of the outputs; another one than that of the real models. */
const labels = ['ENTAILMENT', 'NEUTRAL', 'CONTRADICTION'];

export interface TinyModel {
  readonly model: Uint8Array;
  readonly tokenizer: string;
  readonly config: string;
}

/** With another name for the first input, it is a model that nobody knows how to feed. */
export function tinyModel({ firstInput = 'input_ids' } = {}): TinyModel {
  return {
    model: onnxModel(graph(firstInput)),
    tokenizer: JSON.stringify(tokenizer(), null, 1),
    config: JSON.stringify(config, null, 1),
  };
}

const config = {
  architectures: ['DebertaV2ForSequenceClassification'],
  model_type: 'deberta-v2',
  id2label: Object.fromEntries(labels.map((label, index) => [index, label])),
  label2id: Object.fromEntries(labels.map((label, index) => [label, index])),
  max_position_embeddings: 512,
  pad_token_id: special.indexOf('[PAD]'),
};

function tokenizer(): object {
  const id = (token: (typeof special)[number]) => special.indexOf(token);
  const piece = (token: (typeof special)[number], type: number) => ({
    SpecialToken: { id: token, type_id: type },
  });
  const sentence = (name: 'A' | 'B', type: number) => ({ Sequence: { id: name, type_id: type } });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special.map((content, index) => ({
      id: index,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: { type: 'Sequence', normalizers: [{ type: 'NFKC' }, { type: 'Lowercase' }] },
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
    post_processor: {
      type: 'TemplateProcessing',
      single: [piece('[CLS]', 0), sentence('A', 0), piece('[SEP]', 0)],
      pair: [piece('[CLS]', 0), sentence('A', 0), piece('[SEP]', 0), sentence('B', 1), piece('[SEP]', 1)],
      special_tokens: Object.fromEntries(
        (['[CLS]', '[SEP]'] as const).map((token) => [
          token,
          { id: token, ids: [id(token)], tokens: [token] },
        ]),
      ),
    },
    decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
    model: {
      type: 'Unigram',
      unk_id: id('[UNK]'),
      vocab: vocabulary.map((entry, index) => [entry, index < special.length ? 0 : -1 - entry.length / 100]),
      byte_fallback: false,
    },
  };
}

/**
 * Each token has two numbers, one for denials and one that is another for each word. Those of the second sentence
 * are taken from those of the first; what is left makes the three outputs.
 */
function graph(firstInput: string): Graph {
  const features = vocabulary.flatMap((entry, index) => {
    if (index < special.length) return [0, 0];
    return DENIALS.includes(entry) ? [1, 0] : [0, index * index];
  });
  const tokens = ['batch', 'sequence'] as const;
  return {
    inputs: [firstInput, 'attention_mask', 'token_type_ids'].map((name) => ({
      name,
      type: INT64,
      shape: tokens,
    })),
    outputs: [{ name: 'logits', type: FLOAT, shape: ['batch', 3] }],
    constants: [
      floats('features', [vocabulary.length, 2], features),
      floats('minusTwo', [], [-2]),
      floats('one', [], [1]),
      // Denials left over speak for a contradiction, other words against an entailment.
      floats('denialWeights', [1, 3], [0, 0, -10]),
      floats('wordWeights', [1, 3], [-10, 0, 0]),
      floats('bias', [3], [2, 0, -5]),
      whole('sequenceAxis', [1], [1]),
      whole('lastAxis', [1], [2]),
      whole('first', [], [0]),
      whole('second', [], [1]),
    ],
    operations: [
      { type: 'Gather', inputs: ['features', firstInput], outputs: ['found'] },
      { type: 'Cast', inputs: ['attention_mask'], outputs: ['mask'], attributes: { to: FLOAT } },
      { type: 'Cast', inputs: ['token_type_ids'], outputs: ['types'], attributes: { to: FLOAT } },
      { type: 'Mul', inputs: ['types', 'minusTwo'], outputs: ['twice'] },
      { type: 'Add', inputs: ['twice', 'one'], outputs: ['signs'] },
      { type: 'Mul', inputs: ['signs', 'mask'], outputs: ['counted'] },
      { type: 'Unsqueeze', inputs: ['counted', 'lastAxis'], outputs: ['wide'] },
      { type: 'Mul', inputs: ['found', 'wide'], outputs: ['signed'] },
      {
        type: 'ReduceSum',
        inputs: ['signed', 'sequenceAxis'],
        outputs: ['left'],
        attributes: { keepdims: 0 },
      },
      { type: 'Gather', inputs: ['left', 'first'], outputs: ['denials'], attributes: { axis: 1 } },
      { type: 'Gather', inputs: ['left', 'second'], outputs: ['others'], attributes: { axis: 1 } },
      { type: 'Abs', inputs: ['others'], outputs: ['apart'] },
      { type: 'Unsqueeze', inputs: ['denials', 'sequenceAxis'], outputs: ['denialColumn'] },
      { type: 'Unsqueeze', inputs: ['apart', 'sequenceAxis'], outputs: ['wordColumn'] },
      { type: 'MatMul', inputs: ['denialColumn', 'denialWeights'], outputs: ['fromDenials'] },
      { type: 'MatMul', inputs: ['wordColumn', 'wordWeights'], outputs: ['fromWords'] },
      { type: 'Add', inputs: ['fromDenials', 'fromWords'], outputs: ['sum'] },
      { type: 'Add', inputs: ['sum', 'bias'], outputs: ['logits'] },
    ],
  };
}

function floats(name: string, shape: readonly number[], values: readonly number[]) {
  return { name, type: FLOAT, shape, bytes: new Uint8Array(Float32Array.from(values).buffer) } as const;
}

function whole(name: string, shape: readonly number[], values: readonly number[]) {
  return {
    name,
    type: INT64,
    shape,
    bytes: new Uint8Array(BigInt64Array.from(values.map(BigInt)).buffer),
  } as const;
}
