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
    'AGFzbQEAAAABCQFgBX9/f39/AAITAQd2ZWN0b3JzBm1lbW9yeQIAAQMDAgAAByACC2RvdFByb2R1Y3RzAAAOY29hcnNlUHJvZHVjdHMA',
    'AQqVCQK5BAQCfwJ7BH8IewJAIAJFDQAgASEJA0AgCSADaiEKIAogA2ohCyALIANqIQz9DAAAAAAAAAAAAAAAAAAAAAAhDf0MAAAAAAAA',
    'AAAAAAAAAAAAACER/QwAAAAAAAAAAAAAAAAAAAAAIQ79DAAAAAAAAAAAAAAAAAAAAAAhEv0MAAAAAAAAAAAAAAAAAAAAACEP/QwAAAAA',
    'AAAAAAAAAAAAAAAAIRP9DAAAAAAAAAAAAAAAAAAAAAAhEP0MAAAAAAAAAAAAAAAAAAAAACEUQQAhBgNAIAAgBmr9AAQAIQcgACAGav0A',
    'BBAhCCAHIAkgBmr9AAQAIA39hQIhDSAIIAkgBmr9AAQQIBH9hQIhESAHIAogBmr9AAQAIA79hQIhDiAIIAogBmr9AAQQIBL9hQIhEiAH',
    'IAsgBmr9AAQAIA/9hQIhDyAIIAsgBmr9AAQQIBP9hQIhEyAHIAwgBmr9AAQAIBD9hQIhECAIIAwgBmr9AAQQIBT9hQIhFCAGQSBqIQYg',
    'BiADSQ0ACyANIBH95AEhDSAEIA39HwAgDf0fAZIgDf0fAiAN/R8DkpI4AgAgDiAS/eQBIQ4gBCAO/R8AIA79HwGSIA79HwIgDv0fA5KS',
    'OAIEIA8gE/3kASEPIAQgD/0fACAP/R8BkiAP/R8CIA/9HwOSkjgCCCAQIBT95AEhECAEIBD9HwAgEP0fAZIgEP0fAiAQ/R8DkpI4Agwg',
    'BEEQaiEEIAwgA2ohCSAFQQRqIQUgBSACSQ0ACwsL1wQEAn8CewR/CHsCQCACRQ0AIAEhCQNAIAkgA2ohCiAKIANqIQsgCyADaiEM/QwA',
    'AAAAAAAAAAAAAAAAAAAAIQ39DAAAAAAAAAAAAAAAAAAAAAAhEf0MAAAAAAAAAAAAAAAAAAAAACEO/QwAAAAAAAAAAAAAAAAAAAAAIRL9',
    'DAAAAAAAAAAAAAAAAAAAAAAhD/0MAAAAAAAAAAAAAAAAAAAAACET/QwAAAAAAAAAAAAAAAAAAAAAIRD9DAAAAAAAAAAAAAAAAAAAAAAh',
    'FEEAIQYDQCAAIAZBAXRq/QAEACEHIAAgBkEBdGr9AAQQIQggDSAHIAkgBmr9AQMA/boB/a4BIQ0gESAIIAkgBmr9AQMI/boB/a4BIREg',
    'DiAHIAogBmr9AQMA/boB/a4BIQ4gEiAIIAogBmr9AQMI/boB/a4BIRIgDyAHIAsgBmr9AQMA/boB/a4BIQ8gEyAIIAsgBmr9AQMI/boB',
    '/a4BIRMgECAHIAwgBmr9AQMA/boB/a4BIRAgFCAIIAwgBmr9AQMI/boB/a4BIRQgBkEQaiEGIAYgA0kNAAsgDSAR/a4BIQ0gBCAN/RsA',
    'IA39GwFqIA39GwIgDf0bA2pqNgIAIA4gEv2uASEOIAQgDv0bACAO/RsBaiAO/RsCIA79GwNqajYCBCAPIBP9rgEhDyAEIA/9GwAgD/0b',
    'AWogD/0bAiAP/RsDamo2AgggECAU/a4BIRAgBCAQ/RsAIBD9GwFqIBD9GwIgEP0bA2pqNgIMIARBEGohBCAMIANqIQkgBUEEaiEFIAUg',
    'AkkNAAsLCw==',
  ].join(''),
  'base64',
);

const compiled = new WebAssembly.Module(bytes);

/**
 * Writes the dot products of the vector at `wanted` with `count` rows to `out`. All are addresses in the memory; the
 * count is a multiple of 4.
 */
type Multiply = (wanted: number, rows: number, count: number, stride: number, out: number) => void;

export interface Products {
  /** Of numbers of 32 bits; the stride is a multiple of 32 bytes. */
  readonly dotProducts: Multiply;
  /** Of whole numbers, 16 bits each in the vector, 8 in the rows; the stride is a multiple of 16 bytes. */
  readonly coarseProducts: Multiply;
}

export function newMemory(): VectorMemory {
  return new WebAssembly.Memory({ initial: 1 });
}

export function productsIn(memory: VectorMemory): Products {
  const { dotProducts, coarseProducts } = new WebAssembly.Instance(compiled, { vectors: { memory } }).exports;
  if (typeof dotProducts !== 'function' || typeof coarseProducts !== 'function')
    throw new Error('The module has no such functions');
  return {
    dotProducts: (wanted, rows, count, stride, out) => void dotProducts(wanted, rows, count, stride, out),
    coarseProducts: (wanted, rows, count, stride, out) =>
      void coarseProducts(wanted, rows, count, stride, out),
  };
}
