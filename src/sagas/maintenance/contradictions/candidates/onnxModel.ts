/*
 * Writes a model in the format that onnxruntime reads: ONNX, in protocol buffers. Only what small graphs need. The
 * numbers are those of the fields in onnx.proto.
 */

const VARINT = 0;
const BYTES = 2;
const IR_VERSION = 8;
const OPSET = 17;

export const FLOAT = 1;
export const INT32 = 6;
export const INT64 = 7;

type TensorType = typeof FLOAT | typeof INT32 | typeof INT64;

/** A number, or a name for one that is told at each run. */
type Dimension = number | string;

interface Value {
  readonly name: string;
  readonly type: TensorType;
  readonly shape: readonly Dimension[];
}

interface Constant {
  readonly name: string;
  readonly type: TensorType;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

interface Operation {
  readonly type: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Whole numbers alone, or lists of them. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

export interface Graph {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly constants?: readonly Constant[];
  readonly operations: readonly Operation[];
  /** What those who load it ask of it beside the graph. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export function onnxModel({ inputs, outputs, constants = [], operations, metadata = {} }: Graph): Uint8Array {
  const graph = message(
    ...operations.map((operation) => field(1, operationBytes(operation))),
    field(2, 'graph'),
    ...constants.map((constant) => field(5, constantBytes(constant))),
    ...inputs.map((value) => field(11, valueBytes(value))),
    ...outputs.map((value) => field(12, valueBytes(value))),
  );
  return message(
    field(1, IR_VERSION),
    field(7, graph),
    field(8, message(field(1, ''), field(2, OPSET))),
    ...Object.entries(metadata).map(([key, value]) => field(14, message(field(1, key), field(2, value)))),
  );
}

function operationBytes({ type, inputs, outputs, attributes = {} }: Operation): Uint8Array {
  return message(
    ...inputs.map((name) => field(1, name)),
    ...outputs.map((name) => field(2, name)),
    field(4, type),
    ...Object.entries(attributes).map(([name, value]) => field(5, attributeBytes(name, value))),
  );
}

const INT = 2;
const INTS = 7;

function attributeBytes(name: string, value: number | readonly number[]): Uint8Array {
  return typeof value === 'number'
    ? message(field(1, name), field(3, value), field(20, INT))
    : message(field(1, name), ...value.map((one) => field(8, one)), field(20, INTS));
}

function constantBytes({ name, type, shape, bytes }: Constant): Uint8Array {
  return message(...shape.map((size) => field(1, size)), field(2, type), field(8, name), field(9, bytes));
}

function valueBytes({ name, type, shape }: Value): Uint8Array {
  const dimensions = shape.map((size) =>
    field(1, typeof size === 'number' ? field(1, size) : field(2, size)),
  );
  const tensor = message(field(1, type), field(2, message(...dimensions)));
  return message(field(1, name), field(2, field(1, tensor)));
}

function field(number: number, value: number | string | Uint8Array): Uint8Array {
  if (typeof value === 'number') return message(varint((number << 3) | VARINT), varint(value));
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return message(varint((number << 3) | BYTES), varint(bytes.length), bytes);
}

function message(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  bytes.push(Number(left));
  return Uint8Array.from(bytes);
}
