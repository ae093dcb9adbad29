/** What is used of it; the types of Node leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly vectors: { readonly memory: VectorMemory } },
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (size: { readonly initial: number }) => VectorMemory;
};

/** Grows by pages of 64 KiB, all zeros; the buffer is another one then. */
export interface VectorMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/* What dotProducts.wat says, assembled. */
const bytes = Buffer.from(
  [
    'AGFzbQEAAAABCQFgBX9/f39/AAITAQd2ZWN0b3JzBm1lbW9yeQIAAQMCAQAHDwELZG90UHJvZHVjdHMAAAq8BAG5BAQCfwJ7BH8I',
    'ewJAIAJFDQAgASEJA0AgCSADaiEKIAogA2ohCyALIANqIQz9DAAAAAAAAAAAAAAAAAAAAAAhDf0MAAAAAAAAAAAAAAAAAAAAACER',
    '/QwAAAAAAAAAAAAAAAAAAAAAIQ79DAAAAAAAAAAAAAAAAAAAAAAhEv0MAAAAAAAAAAAAAAAAAAAAACEP/QwAAAAAAAAAAAAAAAAA',
    'AAAAIRP9DAAAAAAAAAAAAAAAAAAAAAAhEP0MAAAAAAAAAAAAAAAAAAAAACEUQQAhBgNAIAAgBmr9AAQAIQcgACAGav0ABBAhCCAH',
    'IAkgBmr9AAQAIA39hQIhDSAIIAkgBmr9AAQQIBH9hQIhESAHIAogBmr9AAQAIA79hQIhDiAIIAogBmr9AAQQIBL9hQIhEiAHIAsg',
    'Bmr9AAQAIA/9hQIhDyAIIAsgBmr9AAQQIBP9hQIhEyAHIAwgBmr9AAQAIBD9hQIhECAIIAwgBmr9AAQQIBT9hQIhFCAGQSBqIQYg',
    'BiADSQ0ACyANIBH95AEhDSAEIA39HwAgDf0fAZIgDf0fAiAN/R8DkpI4AgAgDiAS/eQBIQ4gBCAO/R8AIA79HwGSIA79HwIgDv0f',
    'A5KSOAIEIA8gE/3kASEPIAQgD/0fACAP/R8BkiAP/R8CIA/9HwOSkjgCCCAQIBT95AEhECAEIBD9HwAgEP0fAZIgEP0fAiAQ/R8D',
    'kpI4AgwgBEEQaiEEIAwgA2ohCSAFQQRqIQUgBSACSQ0ACwsL',
  ].join(''),
  'base64',
);

const compiled = new WebAssembly.Module(bytes);

/**
 * Writes the dot products of the vector at `wanted` with `count` rows to `out`. All are addresses in the memory; the
 * stride is a multiple of 32 bytes, the count one of 4.
 */
export type DotProducts = (wanted: number, rows: number, count: number, stride: number, out: number) => void;

export function newMemory(): VectorMemory {
  return new WebAssembly.Memory({ initial: 1 });
}

export function dotProductsIn(memory: VectorMemory): DotProducts {
  const { dotProducts } = new WebAssembly.Instance(compiled, { vectors: { memory } }).exports;
  if (typeof dotProducts !== 'function') throw new Error('The module has no such function');
  return (...addresses) => void dotProducts(...addresses);
}
